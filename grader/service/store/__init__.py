"""What the service remembers: one schema on SQLite and PostgreSQL, one writer a process, one module a subject.

`schema` has the tables, `engine` opens databases, `writer` commits in groups, `store` is what the rest of the service
holds: `await store.read(function)` and `await store.write(function)`.
"""
