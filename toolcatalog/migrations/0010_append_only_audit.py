"""The audit is written once: no role changes or deletes a row, neither in the tables nor in their partitions.

The trigger is for everybody but superusers, the owner's mistakes among them, and new partitions inherit it; the
application's role loses the right as well. Whole partitions may still be detached and dropped.
"""

from django.db import migrations

REFUSE = """
CREATE FUNCTION toolcatalog_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Rows of % are never changed: they are the audit.', TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END
$$;
"""
TABLES = ("toolcatalog_exposure", "toolcatalog_exposure_content", "toolcatalog_call", "toolcatalog_call_end")

TAKE_RIGHTS = """
DO $$
DECLARE
    held record;
BEGIN
    FOR held IN
        SELECT DISTINCT class.oid::regclass AS relation, acl.grantee
          FROM unnest(ARRAY['%s']::regclass[]) AS parent(oid)
         CROSS JOIN LATERAL (
               SELECT parent.oid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = parent.oid) AS member(oid)
          JOIN pg_class AS class ON class.oid = member.oid
         CROSS JOIN LATERAL aclexplode(class.relacl) AS acl
         WHERE acl.privilege_type IN ('UPDATE', 'DELETE') AND acl.grantee NOT IN (0, class.relowner)
    LOOP
        EXECUTE format('REVOKE UPDATE, DELETE ON %%s FROM %%I', held.relation, pg_get_userbyid(held.grantee));
    END LOOP;
END
$$;
""" % "', '".join(TABLES)


def write_trigger(table):
    return (
        f"CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION toolcatalog_refuse_change();",
        f"DROP TRIGGER refuse_change ON {table};",
    )


class Migration(migrations.Migration):
    dependencies = [("toolcatalog", "0009_exposure_snapshot")]

    operations = [
        migrations.RunSQL(REFUSE, "DROP FUNCTION toolcatalog_refuse_change();"),
        *(migrations.RunSQL(*write_trigger(table)) for table in TABLES),
        migrations.RunSQL(TAKE_RIGHTS, migrations.RunSQL.noop),
    ]
