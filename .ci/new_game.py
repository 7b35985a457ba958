"""Copies the specimen under a new name and registers the copy. `make new-game NAME=corn-street`."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
OF_SPECIMEN = ["engine/src/games/skirmish", "engine/tests/skirmish", "engine/content/skirmish", "docs/games/skirmish.md"]


def renamed(text, game, is_code):
    """A text of the specimen about the new game."""
    for folder in ["engine/src/games", "engine/tests", "src/games"]:
        text = text.replace(f"{folder}/skirmish", f"{folder}/{game.code}")
    for folder in ["content", "docs/games"]:
        text = text.replace(f"{folder}/skirmish", f"{folder}/{game.id}")
    if not is_code:
        return text.replace("skirmish", game.id).replace("Skirmish", game.title)
    # The same word is an id and a title in strings, and a module and a type elsewhere.
    text = text.replace('"skirmish"', f'"{game.id}"').replace('"Skirmish"', f'"{game.title}"')
    return text.replace("skirmish", game.code).replace("Skirmish", game.type)


class Game:
    """The name of a game, as ids, folders, types and people write it."""

    def __init__(self, name):
        self.id = name
        self.code = name.replace("-", "_")
        self.type = "".join(word.capitalize() for word in name.split("-"))
        self.title = " ".join(word.capitalize() for word in name.split("-"))


def copy(game):
    listed = subprocess.run(["git", "ls-files", *OF_SPECIMEN], cwd=ROOT, check=True, capture_output=True, text=True)
    for path in listed.stdout.split():
        name = game.code if path.startswith(("engine/src", "engine/tests")) else game.id
        copied = ROOT / path.replace("skirmish", name, 1)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_text(renamed((ROOT / path).read_text(), game, path.endswith(".rs")))


def insert(path, anchor, line):
    """Puts a line before the first one that the anchor matches."""
    text = path.read_text()
    found = re.search(anchor, text, re.MULTILINE)
    if found is None:
        sys.exit(f"{path.relative_to(ROOT)} has no line like {anchor}")
    path.write_text(text[: found.start()] + line + text[found.start() :])


def register(game):
    insert(ENGINE / "src/games/mod.rs", r"^pub mod skirmish;", f"pub mod {game.code};\n")
    registry = ENGINE / "src/registry/mod.rs"
    insert(registry, r"^use crate::games::skirmish::", f"use crate::games::{game.code}::{game.type};\n")
    load = f"|files| Ok(Arc::new(Hosted::new({game.type}::load(files)?)))"
    entry = f"        LoadableGame {{ id: {game.type}::ID, content: {game.type}::builtin, load: {load} }},\n"
    insert(registry, r"^        LoadableGame \{\n            id: Skirmish::ID,", entry)
    insert(
        ENGINE / "tests/conformance.rs",
        r"^    skirmish::Skirmish,",
        f'    {game.code}::{game.type}, share: 1, turns: "turn", led: bot::random,\n        golden: "{game.id}" by "random" from 1642, bytes: 60_000;\n',
    )
    insert(
        ENGINE / "tests/architecture.rs",
        r'^    \("skirmish", "bot",',
        f'    ("{game.code}", "bot", "the engine\'s own bot `random` plays it"),\n',
    )
    insert(ROOT / "docs/index.md", r"^- \[Skirmish\]", f"- [{game.title}](games/{game.id}.md): [notation](notation/{game.id}.md)\n")
    suite = f'by = "engine/tests/{game.code}/page.rs"\nhow = "played, and read"\nlanguages = ["{game.id}", "json"]\n'
    insert(
        ROOT / "docs/blocks.toml",
        r'^\[\[suite\]\]\nby = "engine/tests/skirmish/page.rs"',
        f'[[suite]]\n{suite}pages = ["docs/games/{game.id}.md"]\n\n',
    )
    insert(ROOT / "docs/notation.md", r"^- \[Skirmish\]", f"- [{game.title}](notation/{game.id}.md)\n")
    insert(
        ROOT / "README.md",
        r"^\| Skirmish \|",
        f"| {game.title} | under way, a copy of Skirmish: [how to play it here](docs/games/{game.id}.md) |\n",
    )


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", name):
        sys.exit("a game's NAME is words in lower case with hyphens between them, such as corn-street")
    game = Game(name)
    if (ENGINE / "src/games" / game.code).exists():
        sys.exit(f"there is a game {name} already")
    copy(game)
    register(game)


if __name__ == "__main__":
    main()
