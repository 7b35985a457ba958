"""Packs the server and the command, as cargo has built them, into a wheel for systems like this one.

EDGEHILL_BINARIES names their folder; without it they are those of `cargo build --profile dist`. maturin would build
them by itself, and takes the programs of one crate: these are of two.
"""

import os
import platform
import sysconfig
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
BINARIES = Path(os.environ.get("EDGEHILL_BINARIES", HERE.parents[2] / "target" / "dist"))
SUFFIX = ".exe" if os.name == "nt" else ""
PROGRAMS = [BINARIES / f"{name}{SUFFIX}" for name in ("edgehill", "edgehill-server")]


def system() -> str:
    """Returns the systems that the programs run on: with this C library or a newer one."""
    library, version = platform.libc_ver()
    if library == "glibc":
        return f"manylinux_{version.replace('.', '_')}_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


class ProgramWheel(bdist_wheel):
    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", system()

    def run(self) -> None:
        missing = [str(program) for program in PROGRAMS if not program.exists()]
        if missing:
            raise SystemExit(f"{', '.join(missing)}: cargo build --profile dist -p edgehill -p edgehill-service")
        super().run()


class NoSources(sdist):
    def run(self) -> None:
        raise SystemExit("there is no source distribution: the sources are a checkout of the project")


FOLDER = "Scripts" if os.name == "nt" else "bin"
setup(cmdclass={"bdist_wheel": ProgramWheel, "sdist": NoSources}, data_files=[(FOLDER, list(map(str, PROGRAMS)))])
