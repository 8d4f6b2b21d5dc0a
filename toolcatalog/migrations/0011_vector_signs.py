"""The signs of each vector beside it, where the server has pgvector: search by meaning compares them first."""

from django.db import migrations

from toolcatalog.search.providers.semantic import create_vector_table


def add(apps, schema_editor):
    create_vector_table(schema_editor.connection.alias)


class Migration(migrations.Migration):

    dependencies = [
        ('toolcatalog', '0010_append_only_audit'),
    ]

    operations = [
        migrations.RunPython(add, migrations.RunPython.noop),
    ]
