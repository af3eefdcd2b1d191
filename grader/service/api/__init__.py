"""The routes, one module a subject.

`routing` makes them: who may call is looked up in the table of roles before anything of a body is read, and OpenAPI
says of each what it takes and answers.
"""
