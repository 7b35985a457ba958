"""A server under the load of ghz (https://ghz.sh), which knows nothing of the games.

Each of its workers has a seat of its own, and makes the same call again and again. One of `ApplyActions` replaces the
first order of the seat's draft by itself, so that it is always legal, and an append each time. `grpcurl` and `ghz` are
built if they are not there."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from running import Server

BIN = Path(__file__).resolve().parents[3] / "target" / "bin"
TOOLS = {
    "grpcurl": "github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4",
    "ghz": "github.com/bojand/ghz/cmd/ghz@v0.93.0",
}

GAME = "english-civil-war-iia"
MATCHES = "edgehill.v1.MatchService"
# 32 bytes, as a client draws them.
SECRET = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
CONNECTIONS = 4


def install() -> None:
    """Builds what is not there."""
    os.environ["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    for name, module in TOOLS.items():
        if not (BIN / name).exists():
            settings = os.environ | {"CGO_ENABLED": "0", "GOBIN": str(BIN)}
            subprocess.run(("go", "install", module), check=True, env=settings)


@dataclass
class Seat:
    """A seat that is to move, in a match of its own."""

    match: str
    token: str
    action: int


def sit_down(server: Server, count: int) -> list[Seat]:
    """So many seats."""
    seats = []
    for number in range(count):
        create = {"request_id": f"match {number}", "client_secret": SECRET, "game": GAME}
        match = server.call(f"{MATCHES}/CreateMatch", create)["match"]["config"]["matchId"]
        for place in (0, 1):
            join = {"match_id": match, "request_id": f"{number}/{place}", "client_secret": SECRET, "seat": place}
            token = server.call(f"{MATCHES}/JoinMatch", join)["seatToken"]
        legal = server.call(f"{MATCHES}/ListLegalActions", {"match_id": match}, key=token)["legalActions"]
        seats.append(Seat(match, token, legal["ids"][0]))
    return seats


def of_worker(values: list[str]) -> str:
    """The value of the worker that makes a call, as a template of ghz, which names them so."""
    connections = min(len(values), CONNECTIONS)
    branches = [
        f'{{{{else if eq .WorkerID "g{number}c{number % connections}"}}}}{value}' for number, value in enumerate(values)
    ]
    return "".join(branches).replace("{{else if", "{{if", 1) + "{{end}}"


def processor(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def drive(
    server: Server, method: str, in_flight: int, seconds: int, data: str = "{}", metadata: str = "{}"
) -> dict[str, Any]:
    """The figures of ghz, with so many workers; with them the server's and its own `processor`, microseconds a call."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"data": data, "metadata": metadata}.items():
            (Path(folder) / name).write_text(text)
        files = ("--data-file", f"{folder}/data", "--metadata-file", f"{folder}/metadata")
        load = ("--concurrency", str(in_flight), "--connections", str(min(in_flight, CONNECTIONS)))
        how = ("--insecure", "--format", "json", "--duration", f"{seconds}s", "--duration-stop", "wait")
        command = ("ghz", "--call", method, *how, *load, *files, server.address)
        pid = server.process.pid
        before, own_before = processor(pid), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True)
        used, own = processor(pid) - before, resource.getrusage(resource.RUSAGE_CHILDREN)
    own_used = own.ru_utime + own.ru_stime - own_before.ru_utime - own_before.ru_stime
    figures = dict(json.loads(done.stdout))
    calls = max(figures["count"], 1)
    return figures | {"processor": [round(seconds * 1e6 / calls) for seconds in (used, own_used)]}


def kinds(server: Server, in_flight: int) -> list[tuple[str, dict[str, str]]]:
    """The calls that it makes: their methods, and what they say."""
    seats = sit_down(server, in_flight)
    matches = of_worker([seat.match for seat in seats])
    # A template without an action beside its branches is filled in once for all calls.
    headers = {"authorization": "Bearer TOKEN", "worker": "{{.WorkerID}}"}
    metadata = json.dumps(headers).replace("TOKEN", of_worker([seat.token for seat in seats]))
    batch = {"keep_draft_actions": 0, "actions": {"ids": {"values": ["ACTION"]}}}
    apply = json.dumps({"match_id": "MATCH", "request_id": "{{.UUID}}", "batch": batch})
    actions = of_worker([str(seat.action) for seat in seats])
    apply = apply.replace("MATCH", matches).replace('"ACTION"', actions)
    create = {"request_id": "{{.UUID}}", "client_secret": SECRET, "game": GAME}
    return [
        ("edgehill.v1.CatalogService/GetLimits", {}),
        (f"{MATCHES}/GetMatch", {"data": json.dumps({"match_id": seats[0].match})}),
        (f"{MATCHES}/ApplyActions", {"data": apply, "metadata": metadata}),
        (f"{MATCHES}/CreateMatch", {"data": json.dumps(create)}),
    ]
