"""The audit tables: content under its own hash, and one slim row for each resolve or search, by month."""

from django.db import migrations, models
import django.contrib.postgres.fields
import toolcatalog.models.exposures

CONTENT = """
CREATE TABLE toolcatalog_exposure_content (
    sha256 bytea PRIMARY KEY,
    tenant_id bigint NOT NULL,
    body bytea NOT NULL,
    tool_ids bigint[] NOT NULL DEFAULT '{}',
    group_ids bigint[] NOT NULL DEFAULT '{}',
    CONSTRAINT exposure_content_is_hashed CHECK (sha256 = sha256(body))
);
CREATE INDEX exposure_content_tools ON toolcatalog_exposure_content USING gin (tool_ids);
CREATE INDEX exposure_content_groups ON toolcatalog_exposure_content USING gin (group_ids);
"""

EXPOSURE = """
CREATE TABLE toolcatalog_exposure (
    id uuid NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind varchar(8) NOT NULL,
    outcome varchar(16) NOT NULL,
    tenant_id bigint NOT NULL,
    api_key_id bigint,
    profile_id bigint,
    account text,
    model text,
    conversation_id text,
    session_id text,
    correlation_id text,
    request_id text NOT NULL,
    catalog_revision bigint NOT NULL,
    resolver_version smallint NOT NULL,
    text_digest bytea,
    text text,
    context_sha256 bytea,
    snapshot_sha256 bytea NOT NULL,
    PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX exposure_by_time ON toolcatalog_exposure (tenant_id, at DESC, id DESC);
CREATE INDEX exposure_by_correlation ON toolcatalog_exposure (tenant_id, correlation_id);
CREATE TABLE toolcatalog_exposure_default PARTITION OF toolcatalog_exposure DEFAULT;

CREATE FUNCTION toolcatalog_make_exposure_partitions(months_ahead int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz;
BEGIN
    FOR offset_months IN 0..months_ahead LOOP
        first := date_trunc('month', now(), 'UTC') + make_interval(months => offset_months);
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF toolcatalog_exposure FOR VALUES FROM (%L) TO (%L)',
            'toolcatalog_exposure_' || to_char(first AT TIME ZONE 'UTC', 'YYYYMM'),
            first,
            date_trunc('month', first + interval '35 days', 'UTC')
        );
    END LOOP;
END
$$;
SELECT toolcatalog_make_exposure_partitions(2);
"""

DROP = """
DROP TABLE toolcatalog_exposure;
DROP FUNCTION toolcatalog_make_exposure_partitions(int);
"""


class Migration(migrations.Migration):
    dependencies = [("toolcatalog", "0002_catalog_revision")]

    operations = [
        migrations.RunSQL(CONTENT, "DROP TABLE toolcatalog_exposure_content;"),
        migrations.RunSQL(EXPOSURE, DROP),
    ]
