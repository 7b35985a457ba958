"""docs/sdk-python.md and docs/bots.md, run: the Python blocks of each in order, as one program, against the server."""

from __future__ import annotations

import contextlib
import io
import re

from running import ROOT, AgainstServer

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Page(AgainstServer):
    """A page from its beginning to its end: what a block needs is made by those before it."""

    def test_the_manual(self) -> None:
        self.run_page("sdk-python.md", 8)

    def test_the_guide_of_bots(self) -> None:
        self.run_page("bots.md", 3)

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
