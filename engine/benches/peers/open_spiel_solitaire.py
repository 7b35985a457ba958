#!/usr/bin/env python3
"""How fast `open_spiel` plays its `solitaire`, beside the bench `cruel_actions` (docs/performance.md).

Random games: its uniform random bot takes any legal action, chance nodes are sampled. `evaluate_bots` plays a game within C++;
Python calls it once a game. (Its random rollout evaluator can be reached by its `MCTSBot` alone, which refuses this game: it
asks for rewards at the end, and `solitaire` has them all along.) A game's nodes are decisions and chance nodes; their mean is
taken of other games, walked from Python, that are not timed. The package goes into a virtualenv of its own that is gone
afterwards:

    python3.11 engine/benches/peers/open_spiel_solitaire.py
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

PACKAGE = "open_spiel==2.0.2"
GAME = "solitaire"


def walk(game, rng):
    """Walks a random game; gives its decisions and its chance nodes."""
    state, decisions, chances = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, odds)[0])
            chances += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return decisions, chances


def mean_of(numbers):
    """The mean of some numbers with its standard error, in words."""
    error = statistics.stdev(numbers) / len(numbers) ** 0.5
    return f"{statistics.mean(numbers):.1f} +- {error:.1f}"


def play(game, seed):
    """Plays a random game within C++; gives its return and its seconds by the clock and of the processor."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(0, seed)]
    state, begin = game.new_initial_state(), (time.perf_counter(), time.process_time())
    (value,) = pyspiel.evaluate_bots(state, bots, seed)
    return value, time.perf_counter() - begin[0], time.process_time() - begin[1]


def measure(games, batch):
    """Plays the games in batches and prints what they took."""
    import pyspiel

    game, rng = pyspiel.load_game(GAME), random.Random(1642)
    walked = [walk(game, rng) for _ in range(games)]
    decisions, nodes = [d for d, _ in walked], [d + c for d, c in walked]
    each, mean = statistics.mean(nodes), statistics.mean(decisions)
    total, by_clock, by_processor = 0.0, [], []
    for first in range(0, games, batch):
        clock, processor, count = 0.0, 0.0, min(batch, games - first)
        for seed in range(first, first + count):
            value, one_clock, one_processor = play(game, seed)
            total, clock, processor = total + value, clock + one_clock, processor + one_processor
        by_clock.append(count / clock)
        by_processor.append(count / processor)
    print(f"{PACKAGE}, {GAME}, on Python {sys.version.split()[0]}: {games} games, mean return {total / games:.3f}")
    print(f"a game has {mean_of(decisions)} decisions and {mean_of(nodes)} nodes")
    for name, rates in (("by the clock", by_clock), ("of processor time", by_processor)):
        median, fastest = statistics.median(rates), max(rates)
        print(
            f"a second {name}, by batch of {batch}: median {median:,.0f} games, {median * mean:,.0f} decisions, "
            f"{median * each:,.0f} nodes; fastest {fastest:,.0f} games, {fastest * each:,.0f} nodes"
        )


def in_a_virtualenv(arguments):
    """Runs this script again where the package is; gives its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        # A wheel or nothing: its sources take long to build.
        install = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", PACKAGE]
        subprocess.run(install, check=True)
        return subprocess.run([python, str(Path(__file__).resolve()), "--here", *arguments], env=os.environ).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000, help="how many games (default 2000)")
    parser.add_argument("--batch", type=int, default=100, help="games to a batch (default 100)")
    parser.add_argument("--here", action="store_true", help="the package is installed already: measure")
    given = parser.parse_args()
    if given.here:
        measure(given.games, given.batch)
        return 0
    return in_a_virtualenv(["--games", str(given.games), "--batch", str(given.batch)])


if __name__ == "__main__":
    sys.exit(main())
