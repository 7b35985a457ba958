"""docs/sdk-python.md, docs/bots.md and docs/quickstarts.md, run: the Python blocks of each in order, as one program.

Blocks marked `py` need accounts or clocks, or are programs of their own: they are compiled alone.
"""

from __future__ import annotations

import contextlib
import io
import re

from running import ROOT, AgainstServer

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMPILED = re.compile(r"^```py\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Page(AgainstServer):
    """A page from its beginning to its end: what a block needs is made by those before it."""

    def test_the_manual(self) -> None:
        self.run_page("sdk-python.md", 8)

    def test_the_guide_of_bots(self) -> None:
        self.run_page("bots.md", 3)

    def test_the_quickstart(self) -> None:
        self.run_page("quickstarts.md", 0)
        page = (ROOT / "docs/quickstarts.md").read_text(encoding="utf-8")
        self.assertLess(BLOCK.findall(page)[0].count("\n"), 20)
        # The commands of the wheel's page are those that cold_start.py gives.
        [commands] = COMMANDS.findall((ROOT / "clients/python/server/README.md").read_text(encoding="utf-8"))
        self.assertIn(f"```sh\n{commands}```", page)

    def test_the_bot_that_reads_lines(self) -> None:
        page = (ROOT / "docs/quickstarts.md").read_text(encoding="utf-8")
        bot = (ROOT / "clients/examples/line-protocol/random_bot.py").read_text(encoding="utf-8")
        self.assertEqual(COMPILED.findall(page), [bot])

    def test_code_that_is_compiled_alone(self) -> None:
        for name in ("sdk-python.md", "quickstarts.md"):
            page = ROOT / "docs" / name
            blocks = list(COMPILED.finditer(page.read_text(encoding="utf-8")))
            self.assertTrue(blocks)
            for block in blocks:
                compile("\n" * block.string.count("\n", 0, block.start(1)) + block.group(1), str(page), "exec")

    def run_page(self, name: str, more_than: int) -> None:
        """Runs a page that has more blocks than this."""
        page = ROOT / "docs" / name
        blocks = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
        self.assertGreater(len(blocks), more_than)
        names: dict[str, object] = {"__name__": "page"}
        for number, block in enumerate(blocks, 1):
            line = block.string.count("\n", 0, block.start(1))
            # The server of the page is this one; line numbers of errors are the page's.
            text = "\n" * line + block.group(1).replace("localhost:7400", self.server.address)
            with self.subTest(block=number, line=line):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(text, str(page), "exec"), names)
        client = names["client"]
        assert isinstance(client, type(self.client))
        client.close()
