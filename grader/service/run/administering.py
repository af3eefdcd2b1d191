"""What an administrator does to a store, beside a running service or without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from grader.service.base.addresses import public_url
from grader.service.base.service_problems import StoreRefused, StoreUnavailable
from grader.service.base.settings import Settings
from grader.service.features.accounts import queries as accounts_queries
from grader.service.http.sessions import SHORTEST, Passwords
from grader.service.store.engine import (
    SQLITE_FILE,
    DataLock,
    address_of_server,
    database_url,
    open_engine,
    require_durable,
    sqlite_url,
)
from grader.service.store.schema_migration import is_current, migrate, revision
from grader.service.store.store import Store, make_folder
from grader.service.store.store_backup import back_up, restore
from grader.service.store.transaction import Transaction


def make_token(settings: Settings, name: str) -> str:
    """A new token of a teacher, who is made if there is none of that name."""
    with _writable(settings) as store:
        return store.write_now(lambda tx: accounts_queries.new_token(tx, _teacher(tx, name)))


def make_link(settings: Settings, name: str | None) -> str:
    """A new link of a teacher that works once; without a name, of the only one."""

    def write(tx: Transaction) -> str:
        return accounts_queries.once_link(tx, _only_teacher(tx) if name is None else _teacher(tx, name))

    with _writable(settings) as store:
        secret = store.write_now(write)
    usual = f"http://{settings.host}:{settings.port}"
    base = str(public_url(settings.public_url)) if settings.public_url else address_of_server(settings.data) or usual
    return f"{base}/in/{secret}"


def set_password(settings: Settings, name: str, password: str) -> str:
    """Of a teacher, who is made if there is none of that name; what they sign in with."""
    if len(password) < SHORTEST:
        raise StoreRefused(f"a password has at least {SHORTEST} characters")
    hashed = Passwords().hash_now(password)

    def write(tx: Transaction) -> str:
        teacher = _teacher(tx, name)
        login: str = accounts_queries.by_id(tx.connection, teacher).login or accounts_queries.login_name(name)
        if not accounts_queries.set_password(tx, teacher, login, hashed):
            raise StoreRefused(f"somebody else signs in as {login}; choose another name")
        return login

    with _writable(settings) as store:
        return store.write_now(write)


def back_up_to(settings: Settings, out: Path) -> None:
    with open_existing_store(settings) as engine:
        back_up(engine, out)


def restore_from(settings: Settings, backup: Path) -> None:
    """Into an empty store, on which no server runs."""
    if not backup.is_file():
        raise StoreRefused(f"{backup} is not a file")
    make_folder(settings.data)
    with DataLock(settings.data), open_existing_store(settings, must_exist=False) as engine:
        with engine.connect() as connection:
            require_durable(connection)
        restore(engine, backup)


@contextmanager
def _writable(settings: Settings) -> Iterator[Store]:
    """The store, made if there is none; one of an older program is for `plymark serve` to bring up to date."""
    if settings.database is None:
        make_folder(settings.data)
    with open_existing_store(settings, must_exist=False) as engine:
        with engine.connect() as connection:
            require_durable(connection)
            current, empty = is_current(connection), revision(connection) is None
        if not current:
            if not empty:
                raise StoreRefused("the store is of an older Plymark; plymark serve brings it up to date")
            migrate(engine)
        store = Store(engine)
        try:
            yield store
        finally:
            store.close()


@contextmanager
def open_existing_store(settings: Settings, must_exist: bool = True) -> Iterator[Engine]:
    if settings.database is None and must_exist and not (settings.data / SQLITE_FILE).exists():
        raise StoreRefused(f"there is no store in {settings.data}; plymark serve makes one")
    engine = open_engine(database_url(settings.database) if settings.database else sqlite_url(settings.data))
    try:
        with engine.connect() as connection:
            if must_exist and revision(connection) is None:
                raise StoreRefused("the database holds no store; plymark serve makes one")
        yield engine
    except DBAPIError as error:
        raise StoreRefused(f"the database cannot be used: {str(error.orig).strip().splitlines()[0]}") from error
    except StoreUnavailable as error:
        raise StoreRefused(str(error)) from error
    finally:
        engine.dispose()


def _teacher(tx: Transaction, name: str) -> str:
    if not accounts_queries.login_name(name):
        raise StoreRefused("a teacher needs a name")
    found = accounts_queries.teacher_named(tx, name)
    if found is None:
        raise StoreRefused(f"several teachers are called {name}; give the name that one of them signs in with")
    return found


def _only_teacher(tx: Transaction) -> str:
    found = accounts_queries.teachers(tx.connection)
    if len(found) > 1:
        names = ", ".join(sorted(each.login or each.name for each in found)[:10])
        raise StoreRefused(f"there are several teachers; choose one with --teacher: {names}")
    return str(found[0].id) if found else accounts_queries.new_teacher(tx)
