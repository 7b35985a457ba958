"""Prints the counts of the house: how alike the games are, and what trips up a reader. `make house`; nothing here passes or fails."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted(path for path in (ROOT / "engine/src/games").iterdir() if path.is_dir())


def sources(folder):
    """Rust files below a folder with their text."""
    return {path: path.read_text() for path in sorted(folder.rglob("*.rs"))}


def role(path, game):
    """The role of a file: its folder in the game, or its name."""
    first = path.relative_to(game).parts[0]
    return first.removesuffix(".rs")


def mentions(game):
    """For each procedure: the number of places outside of the file that names its frame most which name it, too."""
    files = sources(game)
    counts = {}
    for frame in sorted(set(re.findall(r"\bFrame::([A-Z]\w+)", "\n".join(files.values())))):
        places = [len(re.findall(rf"\bFrame::{frame}\b", text)) for text in files.values()]
        counts[frame] = sum(places) - max(places)
    return counts


def main():
    all_roles = sorted({role(path, game) for game in GAMES for path in sources(game)})
    print("lines by role and game")
    print(f"  {'':<18}" + "".join(f"{game.name[:16]:>18}" for game in GAMES))
    for name in all_roles:
        row = [
            sum(text.count("\n") for path, text in sources(game).items() if role(path, game) == name)
            for game in GAMES
        ]
        print(f"  {name:<18}" + "".join(f"{lines or '-':>18}" for lines in row))

    print("mentions of a procedure's frame outside of the file that names it most: most, mean")
    for game in GAMES:
        counts = mentions(game)
        if counts:
            most = max(counts, key=counts.get)
            print(f"  {game.name:<28}{counts[most]:>4} ({most}){sum(counts.values()) / len(counts):>8.1f}")

    print("by game: bare u8 parameters, usize::from, silent returns, assertions, switches spelled by rules")
    for game in GAMES:
        text = "\n".join(sources(game).values())
        bare = len(re.findall(r"[(,]\s*\w+: u8\b", text))
        print(
            f"  {game.name:<28}{bare:>5}{text.count('usize::from'):>5}"
            f"{len(re.findall(r'else [{] return(?! why| Err)', text)):>5}"
            f"{len(re.findall(r'assert(?:_eq)?!|[.]expect[(]|unreachable!', text)):>5}{text.count('.on()'):>5}"
        )

    golden = sum(path.stat().st_size for path in (ROOT / "engine/tests/golden").rglob("*") if path.is_file())
    print(f"bytes of goldens: {golden}")
    engine = "\n".join(sources(ROOT / "engine/src").values())
    public = re.findall(r"^\s*pub (?:const |unsafe )?(?:fn|struct|enum|trait|type|mod|use|static|const)", engine, re.M)
    print(f"public items of the engine: {len(public)}")


if __name__ == "__main__":
    main()
