"""The database: one schema on SQLite and PostgreSQL, one writer a process. What is asked of it is in the features."""
