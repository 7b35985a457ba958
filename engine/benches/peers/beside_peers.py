#!/usr/bin/env python3
"""A player's action through the table, beside what a user would take instead: the table of docs/performance.md, with date and load.

Runs the bench `table`, and then the peers, which bring their packages into folders of their own; a peer whose toolchain is missing is
left out with a line:

    python3.11 engine/benches/peers/beside_peers.py
"""

import datetime
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# What each peer prints, and what is one of its steps.
PEERS = [
    (["play_boardgame_io.sh"], "npm", r"^(boardgame\.io \S+), (.*?), on .*?([\d.]+) us of the processor a move", "a move"),
    ([sys.executable, "open_spiel_gin_rummy.py"], None, r"^(\S+), (\S+), on .*?([\d.]+) us of the processor an action", "an action"),
    ([sys.executable, "play_diplomacy.py"], None, r"^phases a second of processor time, by game: median ([\d.]+)", "a phase"),
]


def run(command):
    """Runs a command of this folder; gives what it prints."""
    words = [str(HERE / word) if (HERE / word).is_file() else word for word in command]
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, cwd=HERE).stdout


def games():
    """The rows of the bench: game, rules, table, with a bot's view, allocations, checksum."""
    printed = run(["cargo", "bench", "--quiet", "--workspace", "--bench", "table"])
    for line in printed.splitlines()[1:]:
        words = line.split()
        if len(words) == 7:
            game, rules, table, bot, allocations, _, checksum = words
            yield game, rules, table, bot, allocations, checksum


def peers():
    """A row a peer: name, what it plays, microseconds of the processor, and of what."""
    for command, tool, pattern, step in PEERS:
        if tool and not shutil.which(tool):
            print(f"skipped: {command[0]} (no {tool})", file=sys.stderr)
            continue
        for found in re.finditer(pattern, run(command), re.MULTILINE):
            if step == "a phase":
                yield "diplomacy==1.1.2", "standard Diplomacy", f"{1e6 / float(found[1]):.0f}", step
            else:
                yield found[1], found[2], found[3], step


def main():
    """Prints the tables."""
    load = " ".join(f"{load:.1f}" for load in os.getloadavg())
    print(f"{datetime.date.today()}, {os.cpu_count()} processors ({platform.machine()}), load {load} before it\n")
    print("| us of the processor a player's action | rules alone | through the table | with a bot's view | allocations | checksum |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in games():
        print(f"| {' | '.join(row)} |", flush=True)
    print("\n| instead | plays | us of the processor | |")
    print("| --- | --- | --- | --- |")
    for row in peers():
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
