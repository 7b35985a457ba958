"""docs/sdk-python.md, run: its Python blocks in their order, as one program, against the server."""

from __future__ import annotations

import contextlib
import io
import re

from running import ROOT, AgainstServer

PAGE = ROOT / "docs" / "sdk-python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Page(AgainstServer):
    """The page from its beginning to its end: what a block needs is made by those before it."""

    def test_the_page(self) -> None:
        blocks = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
        self.assertGreater(len(blocks), 8)
        names: dict[str, object] = {"__name__": "page"}
        for number, block in enumerate(blocks, 1):
            line = block.string.count("\n", 0, block.start(1))
            # The server of the page is this one; line numbers of errors are the page's.
            text = "\n" * line + block.group(1).replace("localhost:7400", self.server.address)
            with self.subTest(block=number, line=line):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(text, str(PAGE), "exec"), names)
        client = names["client"]
        assert isinstance(client, type(self.client))
        client.close()
