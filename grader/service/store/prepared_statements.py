"""Statements of the hot path, compiled once and given to the driver as they are; and lists in pages.

SQLAlchemy takes some 60 µs around each statement, a driver 5.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import (
    BigInteger,
    Boolean,
    ColumnElement,
    Connection,
    Dialect,
    Insert,
    Integer,
    LargeBinary,
    Row,
    Select,
    Text,
    Update,
)
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]
PLAIN = (BigInteger, Boolean, Integer, LargeBinary, Text)
"""Types whose values both drivers take as they are."""


@dataclass(frozen=True, slots=True)
class _Compiled:
    sql: str
    places: Sequence[str] | None
    """Names of the parameters in order, if the driver wants them so."""
    fixed: Values
    """Parameters that the statement itself holds."""
    row: Callable[[Any], Any]

    def parameters(self, values: Values) -> Any:
        given = {**self.fixed, **values} if self.fixed else values
        return given if self.places is None else [given[name] for name in self.places]


class PreparedStatement:
    """A statement with parameters by name."""

    def __init__(self, statement: Select[Any] | Insert | Update) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def all(self, connection: Connection, **values: Any) -> list[Any]:
        compiled = self._for(connection.dialect)
        cursor = self._cursor(connection, compiled, values)
        return [compiled.row(each) for each in cursor.fetchall()]

    def first(self, connection: Connection, **values: Any) -> Any:
        """None if there is none."""
        compiled = self._for(connection.dialect)
        cursor = self._cursor(connection, compiled, values)
        found = cursor.fetchone()
        cursor.close()  # SQLite: a reader that has not come to the end would go on seeing what it saw
        return None if found is None else compiled.row(found)

    def run(self, connection: Connection, values: Values) -> int:
        """How many rows it changed."""
        return int(self._cursor(connection, self._for(connection.dialect), values).rowcount)

    def run_each(self, connection: Connection, rows: Sequence[Values]) -> None:
        for row in rows:
            self.run(connection, row)

    def _cursor(self, connection: Connection, compiled: _Compiled, values: Values) -> Any:
        driver: Any = connection.connection.driver_connection
        try:
            return driver.execute(compiled.sql, compiled.parameters(values))
        except Exception as error:
            _raise(connection, driver, compiled.sql, error)

    def _for(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _compile(self._statement, dialect)
        return found


def _compile(statement: Select[Any] | Insert | Update, dialect: Dialect) -> _Compiled:
    compiled: Any = statement.compile(dialect=dialect, compile_kwargs={"render_postcompile": True})
    for name, bound in compiled.binds.items():
        assert isinstance(bound.type, PLAIN), f"{name} is of a type that needs work: {bound.type}"
    fixed = {name: bound.value for name, bound in compiled.binds.items() if not bound.required}
    row: Callable[[Any], Any] = tuple
    if isinstance(statement, Select):
        row = _row_maker(statement, dialect)
    return _Compiled(str(compiled), compiled.positiontup, fixed, row)


def _row_maker(statement: Select[Any], dialect: Dialect) -> Callable[[Any], Any]:
    columns = list(statement.selected_columns)
    # Of two columns with one name both are reached by position only.
    names = [str(column.key) for column in columns]
    kind: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]  # known only when this runs
    processors = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
    changed = [(at, process) for at, process in enumerate(processors) if process is not None]
    if not changed:
        return kind._make

    def make(found: Sequence[Any]) -> Any:
        values = list(found)
        for at, process in changed:
            values[at] = process(values[at])
        return kind._make(values)

    return make


def _raise(connection: Connection, driver: Any, sql: str, error: Exception) -> NoReturn:
    """As SQLAlchemy would: the connection is given up if it is lost."""
    base = connection.dialect.loaded_dbapi.Error
    if not isinstance(error, base):
        raise error
    lost = connection.dialect.is_disconnect(error, driver, None)
    if lost:
        connection.invalidate(error)
    raise DBAPIError.instance(
        sql, None, error, base, connection_invalidated=lost, dialect=connection.dialect
    ) from error


@dataclass(frozen=True, slots=True)
class Page:
    limit: int = 50
    after: str | None = None


def page_of(
    connection: Connection,
    statement: Select[Any],
    key: ColumnElement[Any],
    page: Page,
    made: Callable[[Row[Any]], Any],
    read_key: Callable[[str], Any] = str,
) -> dict[str, Any]:
    """Rows by a column that is unique among them and never changes; `next` is null at the end. The statement labels
    the column `page_key` if it has no other name."""
    if page.after is not None:
        statement = statement.where(key > read_key(page.after))
    rows: Sequence[Row[Any]] = connection.execute(statement.order_by(key).limit(page.limit + 1)).all()
    kept = rows[: page.limit]
    more = len(rows) > page.limit
    return {"items": [made(row) for row in kept], "next": str(getattr(kept[-1], key.name)) if more else None}
