"""A process that writes to a store and says what was acknowledged: `python -m tests.grader.service.store.busy FOLDER
[URL [WRITES]]`. It goes on until it has written all, or is killed."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from grader.service.base.service_problems import StoreUnavailable
from grader.service.store.store import Store, open_store
from grader.service.store.tables import meta
from grader.service.store.transaction import Transaction

CLIENTS, WRITES = 12, 30


async def client(store: Store, number: int, writes: int) -> None:
    for each in range(writes):
        name = f"c{number}-{each}"

        def write(tx: Transaction, name: str = name) -> None:
            tx.execute(meta.insert(), {"name": name, "value": name * 40})
            tx.audit(None, "noted", name)

        while True:
            try:
                await store.write(write)
            except IntegrityError:
                pass  # stored by an earlier life, which was killed before it could say so
            except StoreUnavailable:
                await asyncio.sleep(0.05)
                continue
            break
        os.write(1, f"acknowledged {name}\n".encode())


async def main(folder: Path, url: str | None, writes: int) -> None:
    store = open_store(folder, url)
    await asyncio.gather(*(client(store, number, writes) for number in range(CLIENTS)))
    store.close()


if __name__ == "__main__":
    url = sys.argv[2] if len(sys.argv) > 2 else ""
    asyncio.run(main(Path(sys.argv[1]), url or None, int(sys.argv[3]) if len(sys.argv) > 3 else WRITES))
