-- Prepares a PostgreSQL server (15 or later) for Tool Catalog: two roles, their time budgets, the database, extensions.
-- The embedded database is set up with this very file. For a server of your own, run it once as a superuser:
--
--   OWNER_PASSWORD=... APP_PASSWORD=... psql -X -v ON_ERROR_STOP=1 -d postgres -f project/database.sql
--
-- and then point DATABASE_URL at toolcatalog_app and OWNER_DATABASE_URL at toolcatalog_owner. The owner runs the
-- migrations, which give the application its rights on each table.

\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

SELECT current_setting('server_version_num')::int >= 170000 AS can_limit_transactions,
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS has_vector
\gset

-- CREATEDB is for test databases; a production server may take it away again.
CREATE ROLE toolcatalog_owner
    LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
CREATE ROLE toolcatalog_app
    LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'app_password';

-- The time budget belongs to the role. Set by a session it would leak to other clients through PgBouncer.
ALTER ROLE toolcatalog_app SET statement_timeout = '500ms';
ALTER ROLE toolcatalog_app SET lock_timeout = '200ms';
ALTER ROLE toolcatalog_app SET idle_in_transaction_session_timeout = '5s';
\if :can_limit_transactions
ALTER ROLE toolcatalog_app SET transaction_timeout = '5s';
\endif
ALTER ROLE toolcatalog_owner SET lock_timeout = '2s';

CREATE DATABASE toolcatalog OWNER toolcatalog_owner ENCODING 'UTF8';
REVOKE ALL ON DATABASE toolcatalog FROM PUBLIC;
GRANT CONNECT, TEMPORARY ON DATABASE toolcatalog TO toolcatalog_app;

\connect toolcatalog

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;
\if :has_vector
CREATE EXTENSION IF NOT EXISTS vector;
\endif
