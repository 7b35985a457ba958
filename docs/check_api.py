"""Runs docs/api.md against the server that EDGEHILL_SERVER names, and compares what the page prints.

Blocks of `sh` are run in order, by one bash, with grpcurl. The blocks after one are its replies: all fields that the
page prints have to be there and be equal, of a list of messages those that it prints, in their order. A text that ends
in `...` is the beginning of one. Ids, tokens, times and hashes differ from match to match: what the page prints for one
stands for the real one from there on, in replies and in what is run.

Python 3.11, bash and grpcurl (go install github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.3); nothing else.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("api.md")
PLACEHOLDERS = set(
    """adjournTime commitment contentHash createTime creatorToken endTime entropies expireTime invitation matchId
    optionsHash optionsSalt requestId resumeTime seatToken seed serverSeed signer signingKey""".split()
)
END_OF_BLOCK = "-- end of block --"


class Mismatch(Exception):
    """The page and the server differ."""


class Shell:
    """One bash, which keeps the variables of the blocks before."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.bash = subprocess.Popen(
            ["bash"],
            cwd=self.folder.name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        # Refusals as JSON, so that they can be read.
        self.run('grpcurl() { command grpcurl -format-error "$@"; }')

    def run(self, block: str) -> str:
        assert self.bash.stdin and self.bash.stdout
        self.bash.stdin.write(f"{block}\necho; echo '{END_OF_BLOCK}'\n")
        self.bash.stdin.flush()
        lines: list[str] = []
        for line in self.bash.stdout:
            if line.strip() == END_OF_BLOCK:
                return "".join(lines)
            lines.append(line)
        raise Mismatch("bash has ended")


def blocks(page: str) -> Iterator[tuple[int, str, str]]:
    """The fenced blocks: number of the first line, what stands behind the fence, text."""
    for found in re.finditer(r"^```([^\n]*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield page[: found.start()].count("\n") + 1, found[1], found[2]


def values(text: str) -> Iterator[Any]:
    """The JSON objects in a text, which may have lines between them."""
    decoder, at = json.JSONDecoder(), 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
            yield value
        except ValueError:
            at += 1


def replies(output: str) -> list[Any]:
    """The replies of a block; of a status that is not OK its details, so that a refusal stands for itself."""
    found: list[Any] = []
    for value in values(output):
        if isinstance(value.get("code"), int) and "message" in value and "reason" not in value:
            if value.get("code") != 4:  # DEADLINE_EXCEEDED: `-max-time` ends a stream
                found.extend(value.get("details") or [{"status": value}])
        else:
            found.append(value)
    return found


class Page:
    def __init__(self) -> None:
        self.real: dict[str, str] = {}
        self.typed = ""

    def substitute(self, text: str) -> str:
        """What the page prints, with what the server has given instead."""
        for printed in sorted(self.real, key=len, reverse=True):
            text = text.replace(printed, self.real[printed])
        return text

    def compare(self, shown: Any, real: Any, path: str, bindings: dict[str, str], placeholder: bool = False) -> None:
        if isinstance(shown, dict) and isinstance(real, dict):
            for name, value in shown.items():
                if name not in real:
                    raise Mismatch(f"{path}.{name} is not in the reply")
                self.compare(value, real[name], f"{path}.{name}", bindings, name in PLACEHOLDERS)
        elif isinstance(shown, list) and isinstance(real, list):
            if placeholder or not all(isinstance(each, dict) for each in shown):
                if len(shown) != len(real):
                    raise Mismatch(f"{path}: {len(shown)} items on the page, {len(real)} in the reply")
                for i, pair in enumerate(zip(shown, real, strict=True)):
                    self.compare(*pair, f"{path}[{i}]", bindings, placeholder)
            else:
                self.find_all(shown, real, path, bindings)
        elif placeholder and isinstance(shown, str) and isinstance(real, str):
            # What was typed on the page, and is not another's placeholder, stands for itself.
            known = {**self.real, **bindings}.get(shown, shown if shown in self.typed else real)
            if known != real:
                raise Mismatch(f"{path}: {shown} stood for {known}, and is {real}")
            bindings[shown] = real
        elif isinstance(shown, str) and shown.endswith("..."):
            if not str(real).startswith(shown.removesuffix("...")):
                raise Mismatch(f"{path}: the page has {shown!r}, the reply {real!r}")
        elif shown != real:
            raise Mismatch(f"{path}: the page has {shown!r}, the reply {real!r}")

    def find_all(self, shown: list[Any], real: list[Any], path: str, bindings: dict[str, str]) -> list[Any]:
        """Finds each value of the page among those of the reply, in order; returns what is left of these."""
        rest = list(real)
        for i, value in enumerate(shown):
            faults = []
            while rest:
                found: dict[str, str] = {}
                try:
                    self.compare(value, rest.pop(0), f"{path}[{i}]", found)
                except Mismatch as fault:
                    faults.append(str(fault))
                else:
                    bindings |= found
                    break
            else:
                raise Mismatch(f"{path}[{i}] is not among the replies: {'; '.join(faults) or 'there are none left'}")
        return rest


def check(server: str) -> int:
    page, shell, output = Page(), Shell(), ""
    left: list[Any] = []
    faults = calls = compared = 0

    def report(line: int, fault: object) -> None:
        nonlocal faults
        faults += 1
        print(f"docs/api.md:{line}: {fault}", file=sys.stderr)

    def unexpected(line: int) -> None:
        for value in left:
            if "status" in value or "edgehill.v1.Refusal" in value.get("@type", ""):
                report(line, f"refused, and the page does not say so: {json.dumps(value)}")

    line = 0
    for line, info, text in blocks(PAGE.read_text(encoding="utf-8")):
        if info == "sh":
            unexpected(line)
            page.typed += text
            run = re.sub(r"^server=.*$", f"server={server}", page.substitute(text), flags=re.MULTILINE)
            output = shell.run(run)
            left = replies(output)
            calls += text.count("grpcurl ")
        elif info == "text":
            if page.substitute(text).strip() not in output:
                report(line, f"the page has {text!r}, and what was run has printed {output!r}")
            compared += 1
        elif info.startswith("json ") and not info.endswith(("Request", "ActionList")):
            bindings: dict[str, str] = {}
            try:
                left = page.find_all(list(values(text)), left, info.removeprefix("json "), bindings)
            except Mismatch as fault:
                report(line, fault)
            page.real |= bindings
            compared += 1
    unexpected(line)
    print(f"docs/api.md: {calls} calls were made, {compared} replies compared, {faults} faults")
    return 1 if faults or not compared else 0


def main() -> int:
    server = os.environ.get("EDGEHILL_SERVER", "").removeprefix("http://").rstrip("/")
    if not server:
        print("EDGEHILL_SERVER: the address of a running server, such as 127.0.0.1:7400", file=sys.stderr)
        return 2
    if missing := [tool for tool in ("bash", "grpcurl") if shutil.which(tool) is None]:
        print(f"skipped: docs/api.md against a server (no {', no '.join(missing)})")
        return 1 if os.environ.get("CI") else 0
    return check(server)


if __name__ == "__main__":
    sys.exit(main())
