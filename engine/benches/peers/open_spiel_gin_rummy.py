#!/usr/bin/env python3
"""What a player's action costs with `open_spiel` from Python, beside the bench `table` (docs/performance.md).

Random games of `gin_rummy`: chance nodes are sampled, the legal actions are listed for whoever is to act, one is applied, and each
player is given what they see. The package goes into a virtualenv of its own that is gone afterwards:

    python3.11 engine/benches/peers/open_spiel_gin_rummy.py
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

PACKAGE = "open_spiel==2.0.2"
GAME = "gin_rummy"


def play(game, rng):
    """Plays a random game; gives the number of players' actions."""
    state, actions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(outcomes, odds)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            for player in (0, 1):
                state.observation_tensor(player)
            actions += 1
    return actions


def measure(games):
    """Plays the games and prints what an action took."""
    import pyspiel

    game, rng = pyspiel.load_game(GAME), random.Random(1642)
    play(game, rng)
    begin = time.process_time()
    actions = sum(play(game, rng) for _ in range(games))
    each = (time.process_time() - begin) / actions * 1e6
    print(f"{PACKAGE}, {GAME}, on Python {sys.version.split()[0]}: {games} games, {actions} actions, {each:.1f} us of the processor an action")


def main():
    """Installs the package, and measures with it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.installed:
        measure(options.games)
        return
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE], check=True)
        command = [python, os.path.abspath(__file__), "--installed", "--games", str(options.games)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
