"""A search remembers the snapshot in which a model made it: what it named counts as exposed there."""

from django.db import migrations

ADD = """
ALTER TABLE toolcatalog_exposure ADD COLUMN snapshot_id uuid;
CREATE INDEX exposure_by_snapshot ON toolcatalog_exposure (snapshot_id) WHERE snapshot_id IS NOT NULL;
"""

REMOVE = """
ALTER TABLE toolcatalog_exposure DROP COLUMN snapshot_id;
"""


class Migration(migrations.Migration):
    dependencies = [("toolcatalog", "0008_default_search_provider")]

    operations = [migrations.RunSQL(ADD, REMOVE)]
