"""Compiles proto/edgehill/v1 into src/edgehill/v1 before anything is packed; all else is in pyproject.toml."""

from pathlib import Path
from shutil import rmtree

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
PROTO = HERE.parents[1] / "proto"
PACKAGE = Path("edgehill", "v1")


def compile_messages() -> None:
    """Makes the modules of the messages, and of the services' stubs.

    A source distribution has them already, and no folder of protos beside it.
    """
    made = HERE / "src" / PACKAGE
    protos = sorted((PROTO / PACKAGE).glob("*.proto"))
    if not protos:
        if not (made / "match_service_pb2.py").exists():
            raise SystemExit(f"no protos in {PROTO / PACKAGE}: install from a checkout or from a source distribution")
        return
    from grpc_tools import protoc

    for stale in made.glob("*_pb2*"):
        stale.unlink()
    out = HERE / "src"
    run(protoc, [f"--python_out={out}", f"--pyi_out={out}"], protos)
    run(protoc, [f"--grpc_python_out={out}"], [proto for proto in protos if proto.stem.endswith("_service")])


def run(protoc, outputs: list[str], protos: list[Path]) -> None:
    # Those of google.protobuf come with the compiler.
    well_known = Path(protoc.__file__).parent / "_proto"
    if protoc.main(["protoc", f"-I{PROTO}", f"-I{well_known}", *outputs, *map(str, protos)]) != 0:
        raise SystemExit("protoc has failed")


class CompileAndBuild(build_py):
    def run(self) -> None:
        compile_messages()
        # The files that an earlier build has left would be packed as well.
        rmtree(self.build_lib, ignore_errors=True)
        super().run()


class CompileAndPack(sdist):
    def run(self) -> None:
        compile_messages()
        super().run()


setup(cmdclass={"build_py": CompileAndBuild, "sdist": CompileAndPack})
