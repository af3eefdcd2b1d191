"""What the service is for, a folder each: its SQL in `queries`, its routes in `api` and `pages`.

Features meet in their `queries` only.
"""
