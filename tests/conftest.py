from __future__ import annotations

import importlib.util
import os

import pytest

from tb_debugger_plugin.index.cache import FOLDER_VARIABLE


def pytest_configure(config: pytest.Config) -> None:
    os.environ[FOLDER_VARIABLE] = "off"
    config.addinivalue_line("markers", "tensorflow: needs TensorFlow; skipped where it is not")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("tensorflow") is None:
        skip = pytest.mark.skip(reason="TensorFlow is not installed")
        for item in items:
            if "tensorflow" in item.keywords:
                item.add_marker(skip)
