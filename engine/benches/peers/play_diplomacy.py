#!/usr/bin/env python3
"""How fast the Python package `diplomacy` plays, beside the bench `phases` (docs/performance.md).

Random games on its standard map: in each phase all possible orders are listed, each unit is given one of them, and the phase
is processed. Run by Python 3.11; the package goes into a virtualenv of its own that is gone afterwards:

    python3.11 engine/benches/peers/play_diplomacy.py
"""

import argparse
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

PACKAGE = "diplomacy==1.1.2"


def play(seed, phases_max):
    """Plays a random game; gives its phases, their seconds by the clock and of the processor, and its last position."""
    from diplomacy import Game

    rng = random.Random(seed)
    game = Game()
    phases, begin = 0, (time.perf_counter(), time.process_time())
    while not game.is_game_done and phases < phases_max:
        possible = game.get_all_possible_orders()
        for power in sorted(game.powers):
            places = sorted(game.get_orderable_locations(power))
            game.set_orders(power, [rng.choice(possible[place]) for place in places if possible[place]])
        game.process()
        phases += 1
    clock, processor = time.perf_counter() - begin[0], time.process_time() - begin[1]
    return phases, clock, processor, {"units": game.get_units(), "centers": game.get_centers(), "phase": game.phase}


def measure(games, phases_max):
    """Plays the games and prints what they took."""
    checksum, total, by_clock, by_processor = hashlib.sha256(), 0, [], []
    for seed in range(games):
        phases, clock, processor, last = play(seed, phases_max)
        checksum.update(json.dumps(last, sort_keys=True).encode())
        by_clock.append(phases / clock)
        by_processor.append(phases / processor)
        total += phases
    print(f"{PACKAGE} on Python {sys.version.split()[0]}: {games} games, {total} phases, checksum {checksum.hexdigest()}")
    for name, rates in (("by the clock", by_clock), ("of processor time", by_processor)):
        print(f"phases a second {name}, by game: median {statistics.median(rates):.1f}, fastest {max(rates):.1f}")


def in_a_virtualenv(arguments):
    """Runs this script again where the package is; gives its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], check=True)
        # The package's lists follow the order of sets, and that the seed of hashes.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        return subprocess.run([python, str(Path(__file__).resolve()), "--here", *arguments], env=environment).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10, help="how many games (default 10)")
    parser.add_argument("--phases", type=int, default=100, help="the most phases of a game (default 100)")
    parser.add_argument("--here", action="store_true", help="the package is installed already: measure")
    given = parser.parse_args()
    if given.here:
        measure(given.games, given.phases)
        return 0
    return in_a_virtualenv(["--games", str(given.games), "--phases", str(given.phases)])


if __name__ == "__main__":
    sys.exit(main())
