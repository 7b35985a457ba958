"""Blocks of the pages in YAML and INI: they are read, and held to the files that they are about."""

from __future__ import annotations

import configparser
import re
import unittest
from typing import Any

import yaml

from tools import DEPLOY, ROOT


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a page in this language."""
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


class Pages(unittest.TestCase):
    def test_the_generators_of_examples_are_those_of_the_page(self) -> None:
        go, typescript, java, csharp = (yaml.safe_load(block) for block in blocks("docs/clients.md", "yaml"))
        self.assertEqual(go, read("clients/examples/go/buf.gen.yaml"))
        self.assertEqual(typescript, read("clients/examples/typescript/buf.gen.yaml"))
        for other in (java, csharp):
            self.assertEqual(other["version"], "v2")
            self.assertEqual(other["inputs"], go["inputs"])
            self.assertTrue(all("out" in plugin for plugin in other["plugins"]))

    def test_what_is_laid_over_compose_is_about_its_server(self) -> None:
        [override] = (yaml.safe_load(block) for block in blocks("docs/operations-install.md", "yaml"))
        compose = read("deploy/compose/compose.yaml")["services"]["edgehill"]
        [(name, service)] = override["services"].items()
        self.assertEqual(name, "edgehill")
        check = service["healthcheck"]["test"]
        self.assertEqual(check[: len(compose["healthcheck"]["test"])], compose["healthcheck"]["test"])

    def test_what_is_laid_over_the_unit_has_its_section(self) -> None:
        [override] = blocks("deploy/README.md", "ini")
        # Keys may come several times there.
        unit = configparser.ConfigParser(strict=False, delimiters=("=",), interpolation=None)
        unit.read_string(override)
        self.assertEqual(unit.sections(), ["Service"])
        self.assertIn("[Service]", (DEPLOY / "edgehill-server.service").read_text())


if __name__ == "__main__":
    unittest.main()
