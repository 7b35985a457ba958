#!/usr/bin/env python3
"""A server under load, through the whole path: the tables of docs/performance.md, with date and load.

Server and command are the ones of `cargo build --release`, and the store's own figures those of the bench `append`,
which the script builds if they are not there. Without arguments all parts are measured, each on a new store:

    python3.11 service/benches/load/measure.py [sqlite] [quorum] [watched] [idle] [recovery] [ghz]
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "deploy" / "tests"))

import ghz  # noqa: E402
from processors import Processors  # noqa: E402
from quorum import Quorum  # noqa: E402
from running import Server  # noqa: E402

RELEASE = ROOT / "target" / "release"
SERVER, COMMAND = RELEASE / "edgehill-server", RELEASE / "edgehill"
IIA, THIS_WAR = "english-civil-war-iia", "this-war-without-an-enemy"
MIB = 1024 * 1024

SECONDS = 30
WATCHED = 10_000
# Calls a second, and the seconds of them that bring so many matches to their middle.
MIDDLE = (2_500, 400)

# Matches that are begun, one after another, at this rate.
IDLE = (5_000, 50_000)
BEGUN_PER_SECOND = 1_000

# One caller has all matches and streams.
ROOMY = {
    "EDGEHILL_LIMITS__STREAMS": "65536",
    "EDGEHILL_LIMITS__OPEN_MATCHES": "1000000",
    "EDGEHILL_LIMITS__WAITING_MATCHES": "1000000",
}


def load(server: Server, *arguments: str) -> dict[str, Any]:
    """The figures of `edgehill load`."""
    pid, address = str(server.process.pid), f"http://{server.address}"
    command = (COMMAND, "--server", address, "load", "--json", "--server-pid", pid, *arguments)
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True)
    return dict(json.loads(done.stdout))


def appends(*arguments: str) -> dict[str, float]:
    """What the bench `append` prints: appends a second, by what made them."""
    command = ("cargo", "bench", "--quiet", "--locked", "--workspace", "--bench", "append", "--", *arguments)
    printed = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True, cwd=ROOT).stdout
    rows = re.finditer(r"^(\S.*?)  +(\d+) +[\d.]+", printed, re.MULTILINE)
    return {row[1]: float(row[2]) for row in rows}


def row(name: str, figures: dict[str, Any]) -> None:
    """A row of the table of loads."""
    times, calls = figures["all"], figures["calls_per_second"] * figures["seconds"]
    acts = figures["kinds"]["apply"]
    each = [1e6 * figures[who] / calls for who in ("server_processor_seconds", "client_processor_seconds")]
    echo = " ".join(f"{rate:,.0f}" for rate in figures["echo_per_second"])
    print(
        f"| {name} | {figures['calls_per_second']:,.0f} | {acts['calls'] / figures['seconds']:,.0f}"
        f" | {times['p50']:.2f} / {times['p99']:.2f} | {acts['p50']:.2f} / {acts['p99']:.2f}"
        f" | {each[0]:.0f} / {each[1]:.0f} | {echo} | {figures['refusals'] or '-'} |",
        flush=True,
    )


def head() -> None:
    """The head of that table."""
    print(
        "| | calls/s | actions/s | ms, all calls: p50 / p99 | ms, actions: p50 / p99"
        " | us of the processor a call: server / client | echo/s before, after | refused |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)


def loads(name: str, store: Callable[[Path], dict[str, str]]) -> None:
    """64 calls in flight, half as many a second at moments of their own, and a lone mover; each on a new store.

    Below them, who had the processors.
    """
    head()
    had: dict[str, str] = {}

    def one(what: str, *arguments: str) -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            server = Server(command=(SERVER,), **store(Path(folder)))
            processors = Processors()
            figures = load(server, *arguments, "--seconds", str(SECONDS))
            had[what] = processors.stop()
            row(f"{name}, {what}", figures)
            server.stop()
            return figures

    half = round(one("64 in flight", "--matches", "64")["calls_per_second"] / 2)
    one("half of that, open loop", "--matches", "512", "--rate", str(half))
    one("1 in flight", "--matches", "1")
    for what, table in had.items():
        print(f"\n{name}, {what}:\n\n{table}", flush=True)


def sqlite() -> None:
    """The store of one server."""
    alone = appends()
    one, many = alone["store, 1 writer"], alone["store, 64 writers"]
    print(f"The store alone: {one:,.0f} appends/s, {many:,.0f} by 64 writers\n")
    loads("SQLite", lambda folder: {"EDGEHILL_STORE": str(folder)})


def quorum() -> None:
    """Three database servers."""
    nodes = Quorum()
    try:
        alone = appends(nodes.database(), nodes.database())
        one, many = alone["PostgreSQL, 1 writer"], alone["PostgreSQL, 64 writers"]
        print(f"The store alone: {one:,.0f} appends/s, {many:,.0f} by 64 writers\n")
        loads("quorum", nodes.settings)
    finally:
        nodes.close()


def watched() -> None:
    """Many matches, each with a spectator."""
    print("| | matches | spectators | calls/s | MiB at the end of the load | p50 / p99 ms | refused |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for what, game, rate, warm_up in (
        ("just begun", IIA, 500, 60),
        ("just begun", THIS_WAR, 500, 60),
        ("in its middle", THIS_WAR, *MIDDLE),
    ):
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--store", folder, command=(SERVER,), **ROOMY)
            many = ("--game", game, "--matches", str(WATCHED), "--watchers", str(WATCHED), "--connections", "32")
            figures = load(server, *many, "--rate", str(rate), "--warm-up", str(warm_up), "--seconds", str(SECONDS))
            memory = figures["server_memory_bytes_by_second"]
            print(
                f"| {game}, {what} | {WATCHED:,} | {WATCHED:,} | {figures['calls_per_second']:,.0f}"
                f" | {memory[-1] / MIB:,.0f} | {figures['all']['p50']:.2f} / {figures['all']['p99']:.2f}"
                f" | {figures['refusals'] or '-'} |",
                flush=True,
            )
            server.stop()


def idle() -> None:
    """Matches that have just begun and stay in memory: what the process grows by from few of them to many."""
    print("| | MiB with " + " | MiB with ".join(f"{matches:,} matches" for matches in IDLE) + " | matches a GiB |")
    print("| --- | --- | --- | --- |", flush=True)
    keep = {
        "EDGEHILL_CAPACITY__LOADED_MATCHES": "1000000",
        "EDGEHILL_CAPACITY__LOADED_BYTES": str(64 * 1024**3),
        "EDGEHILL_CAPACITY__REST_SECONDS": "3600",
    }
    for game in (IIA, THIS_WAR):
        memory = []
        for matches in IDLE:
            with tempfile.TemporaryDirectory() as folder:
                server = Server("--store", folder, command=(SERVER,), **ROOMY, **keep)
                # A match is begun by its first call.
                begun = ("--rate", str(BEGUN_PER_SECOND), "--warm-up", str(matches // BEGUN_PER_SECOND))
                figures = load(server, "--game", game, "--matches", str(matches), *begun, "--seconds", "2")
                memory.append(figures["server_memory_bytes_by_second"][-1])
                server.stop()
        few, many = memory
        a_gib = (IDLE[1] - IDLE[0]) * 1024**3 / (many - few)
        print(f"| {game} | {few / MIB:,.0f} | {many / MIB:,.0f} | {a_gib:,.0f} |", flush=True)


def recovery() -> None:
    """A start on a store with a million events of matches that are not over."""
    with tempfile.TemporaryDirectory() as folder:
        server, events = Server("--store", folder, command=(SERVER,), **ROOMY), 0
        while events < 1_000_000:
            figures = load(
                server, "--game", IIA, "--matches", "512", "--warm-up", "0", "--seconds", "60", "--watchers", "512"
            )
            events += figures["events"]
            print(f"{events:,} events", flush=True)
        server.process.kill()
        server.process.wait()
        began = time.monotonic()
        server = Server("--store", folder, command=(SERVER,), **ROOMY)
        listening = time.monotonic() - began
        command = (COMMAND, "--server", f"http://{server.address}", "matches")
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        answered = time.monotonic() - began
        print(
            f"After a kill -9, {events:,} events: listening after {listening:.2f} s,"
            f" a page of matches listed after {answered:.2f} s"
        )
        server.stop()
        began = time.monotonic()
        done = subprocess.run(
            [SERVER, "replay-all", "--check", "--store", folder], text=True, capture_output=True, check=True
        )
        print(
            f"All matches replayed from their logs: {time.monotonic() - began:.2f} s\n{done.stdout.strip()[-300:]}",
            flush=True,
        )


def by_ghz() -> None:
    """The same server under another generator of load."""
    ghz.install()
    print("| call | in flight | calls/s | ms: p50 / p99 | us of the processor a call: server, ghz | not answered |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for in_flight in (1, 64):
        with tempfile.TemporaryDirectory() as folder:
            # A draft is changed again and again.
            roomy = ROOMY | {"EDGEHILL_LIMITS__TURN_CHANGES": "65536"}
            server = Server("--store", folder, command=(SERVER,), **roomy)
            for method, said in ghz.kinds(server, in_flight):
                figures = ghz.drive(server, method, in_flight, SECONDS // 2, **said)
                # None where no call was answered.
                answered = figures["latencyDistribution"] or []
                server_us, ghz_us = figures["processor"]
                times = {each["percentage"]: f"{each['latency'] / 1e6:.2f}" for each in answered}
                print(
                    f"| {method.rpartition('/')[2]} | {in_flight} | {figures['rps']:,.0f}"
                    f" | {times.get(50, '-')} / {times.get(99, '-')} | {server_us}, {ghz_us}"
                    f" | {figures['errorDistribution'] or '-'} |",
                    flush=True,
                )
            server.stop()


PARTS = {"sqlite": sqlite, "quorum": quorum, "watched": watched, "idle": idle, "recovery": recovery, "ghz": by_ghz}


def main() -> None:
    """Prints what was asked for."""
    asked = sys.argv[1:] or list(PARTS)
    if unknown := [part for part in asked if part not in PARTS]:
        sys.exit(f"no part: {unknown}; there are {', '.join(PARTS)}")
    build = ("cargo", "build", "--release", "--locked", "--workspace", "--bins")
    subprocess.run(build, check=True, cwd=ROOT)
    for part in asked:
        now = datetime.datetime.now(datetime.UTC).date()
        averages = " ".join(f"{average:.1f}" for average in os.getloadavg())
        print(f"\n## {part}: {now}, {os.cpu_count()} processors, load {averages}, {platform.machine()}\n", flush=True)
        PARTS[part]()


if __name__ == "__main__":
    main()
