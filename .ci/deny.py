"""Holds the crates below us to deny.toml, as cargo-deny would: licences, bans, duplicate versions, sources. `make lint-deny`.

Python 3.11 and cargo, nothing else. It knows the tables and keys that deny.toml uses, and refuses others, so that none of them is there for
nothing. The crates are those that are used on any platform with all features (`cargo tree`); what is known of them is of `cargo metadata`.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KNOWN = {
    "graph": {"all-features": True},
    "licenses": {"allow": None},
    "bans": {
        "multiple-versions": "deny",
        "wildcards": "deny",
        "allow-wildcard-paths": True,
        "deny": None,
        "skip": None,
    },
    "sources": {"unknown-registry": "deny", "unknown-git": "deny", "allow-registry": None},
}


def cargo(*args):
    """The output of cargo with these arguments, of a lock file that is up to date."""
    return subprocess.run(["cargo", *args, "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def used():
    """The packages that are used, as cargo's metadata describes them, by name and version; each with its `dependants`."""
    metadata = json.loads(cargo("metadata", "--all-features", "--format-version", "1"))
    by_id = {one["id"]: {**one, "dependants": set()} for one in metadata["packages"]}
    for node in metadata["resolve"]["nodes"]:
        for dependency in node["deps"]:
            by_id[dependency["pkg"]]["dependants"].add(by_id[node["id"]]["name"])
    packages = {(one["name"], one["version"]): one for one in by_id.values()}
    tree = cargo("tree", "--workspace", "--target", "all", "--all-features", "--prefix", "none", "--format", "{p}")
    names = {tuple(line.split(" v", 1)) for line in tree.splitlines() if line}
    names = {(name, rest.split(" ", 1)[0]) for name, rest in names}
    return {name: packages[name] for name in sorted(names)}


def unknown_keys(config):
    """The keys that mean something to cargo-deny, and nothing here."""
    for table, keys in config.items():
        for key, value in keys.items():
            if table not in KNOWN or key not in KNOWN[table] or KNOWN[table][key] not in (None, value):
                yield f"deny.toml: [{table}] {key} = {value!r} is not known to .ci/deny.py"


def accepts(allow, expression):
    """True if the terms of an SPDX expression are met by licences of `allow`; `/` is an old way to write OR."""
    words = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def one():
        word = words.pop(0)
        if word == "(":
            good = any_of()
            words.pop(0)
            return good
        if words[:1] == ["WITH"]:
            word = f"{word} WITH {words[1]}"
            del words[:2]
        return word in allow

    def all_of():
        good = one()
        while words[:1] == ["AND"]:
            words.pop(0)
            good = one() and good
        return good

    def any_of():
        good = all_of()
        while words[:1] == ["OR"]:
            words.pop(0)
            good = all_of() or good
        return good

    return any_of() and not words


def licences(rules, packages):
    """Packages whose terms are not allowed, and licences that nobody needs."""
    allow = set(rules["allow"])
    for (name, version), package in packages.items():
        if not accepts(allow, package["license"] or "none"):
            yield f"licences: {name} {version} is {package['license']}"
    for licence in sorted(allow):
        if all(accepts(allow - {licence}, package["license"] or "none") for package in packages.values()):
            yield f"licences: nobody needs {licence}"


def bans(rules, packages):
    """Banned packages, but below those that may wrap them; versions that are not the only ones; requirements of any version."""
    dependants, versions = defaultdict(set), defaultdict(list)
    for (name, version), package in packages.items():
        dependants[name] |= package["dependants"]
        versions[name].append(version)
        for dependency in package["dependencies"]:
            if package["source"] is None and dependency["req"] == "*" and dependency["source"] is not None:
                yield f"bans: {name} takes any version of {dependency['name']}"
    for ban in rules["deny"]:
        name, wrappers = ban["crate"], set(ban.get("wrappers", []))
        if name in versions and not (wrappers and dependants[name] <= wrappers):
            yield f"bans: {name}, of {', '.join(sorted(dependants[name] - wrappers))}: {ban['reason']}"
    skipped = {tuple(skip["crate"].split("@")) for skip in rules["skip"]}
    for name, several in versions.items():
        left = [version for version in several if (name, version) not in skipped]
        if len(left) > 1:
            yield f"bans: {name} is there in versions {', '.join(left)}"
    for name, version in sorted(skipped):
        if len(versions[name]) < 2 or version not in versions[name]:
            yield f"bans: the skip of {name}@{version} is not needed"


def sources(rules, packages):
    """Packages that are neither ours nor of an allowed registry."""
    allowed = {f"registry+{registry}" for registry in rules["allow-registry"]}
    for (name, version), package in packages.items():
        if package["source"] is not None and package["source"] not in allowed:
            yield f"sources: {name} {version} is of {package['source']}"


def main():
    config = tomllib.loads((ROOT / "deny.toml").read_text())
    faults = list(unknown_keys(config))
    if not faults:
        packages = used()
        faults = [
            *licences(config["licenses"], packages),
            *bans(config["bans"], packages),
            *sources(config["sources"], packages),
        ]
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
