from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.api.sample import sample
from tests.api.serving import Server
from tests.logdirs.shown import end_programs

Serve = Callable[[Path], Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers and ends them."""
    servers: list[Server] = []

    def start(directory: Path) -> Server:
        servers.append(Server(directory))
        return servers[-1]

    yield start
    for server in servers:
        server.library.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The sample program, which ended long ago, loaded. Its run is "."."""
    directory = tmp_path_factory.mktemp("served")
    sample(directory)
    end_programs(directory)
    server = Server(directory).load()
    yield server
    server.library.close()
