"""Plays any game by taking a random legal action: edgehill run-bot -- python3 random_bot.py (docs/line-protocol.md)."""

import json
import random
import sys


def say(**line):
    print(json.dumps(line), flush=True)


for text in sys.stdin:
    line = json.loads(text)
    if line["type"] == "hello":
        random.seed(line["seed"])
        say(type="ready")
    elif line["type"] == "decide":
        action = random.choice(line["legal"][: line["choices"]])
        say(type="play", prompt=line["prompt"], actions=[action])
    elif line["type"] == "bye":
        break
