"""A Django database backend: PostgreSQL's own, with the embedded server started at the first connection."""
