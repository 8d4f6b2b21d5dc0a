"""Triggers that bump the catalog revision and note what changed, in the transaction that changes it."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION toolcatalog_note_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    new_revision bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM changed) THEN
        RETURN NULL;
    END IF;
    INSERT INTO toolcatalog_state AS state (id, revision, transaction)
    VALUES (1, 1, pg_current_xact_id()::text::bigint)
    ON CONFLICT (id) DO UPDATE SET revision = state.revision + 1, transaction = EXCLUDED.transaction
    RETURNING state.revision INTO new_revision;
    EXECUTE format(
        'INSERT INTO toolcatalog_change (revision, kind, object_id) SELECT DISTINCT %s, %L, %I FROM changed',
        new_revision, TG_ARGV[0], TG_ARGV[1]
    );
    IF new_revision % 1000 = 0 THEN
        DELETE FROM toolcatalog_change WHERE revision < new_revision - 20000;
    END IF;
    RETURN NULL;
END
$$;
"""

# table, kind, column that names the object
TABLES = [
    ("toolcatalog_tenant", "tenant", "id"),
    ("toolcatalog_category", "category", "id"),
    ("toolcatalog_tag", "tag", "id"),
    ("toolcatalog_toolsource", "source", "id"),
    ("toolcatalog_tool", "tool", "id"),
    ("toolcatalog_tool_tags", "tool", "tool_id"),
    ("toolcatalog_revision", "revision", "object_id"),
    ("toolcatalog_grant", "grant", "id"),
    ("toolcatalog_toolgroup", "group", "id"),
    ("toolcatalog_grouptool", "group", "group_id"),
    ("toolcatalog_matcher", "group", "group_id"),
    ("toolcatalog_agentprofile", "profile", "id"),
    ("toolcatalog_profiletool", "profile", "profile_id"),
    ("toolcatalog_profilegroup", "profile", "profile_id"),
]

EVENTS = [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")]


def trigger(table: str, kind: str, column: str, event: str, rows: str) -> migrations.RunSQL:
    name = f"note_{event.lower()}"
    return migrations.RunSQL(
        f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {rows} TABLE AS changed "
        f"FOR EACH STATEMENT EXECUTE FUNCTION toolcatalog_note_change('{kind}', '{column}');",
        f"DROP TRIGGER {name} ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [("toolcatalog", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION toolcatalog_note_change();"),
        *[trigger(*table, *event) for table in TABLES for event in EVENTS],
    ]
