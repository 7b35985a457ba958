/** Pages as the site has them: the sidebar, the links, the text as it stands, and what was built of them (`make docs`). */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import test from "node:test";
import { slug } from "github-slugger";
import { createMarkdownRenderer, disposeMdItInstance } from "vitepress";
import { sidebarOf } from "../out/contents.js";
import { Links } from "../out/links.js";
import { keepLiteral } from "../out/literal.js";
import { withScriptsOutside } from "../out/scripts.js";

const BUILT = resolve(import.meta.dirname, "../../../target/docs");
const LIST = "# Pages\n\n## Start\n\n- [One](one.md): [more of it](deep/two.md)\n";

/** A folder with these pages, by their paths. */
function folderOf(t, pages) {
  const folder = mkdtempSync(join(tmpdir(), "edgehill-pages-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(pages)) {
    const file = join(folder, "docs", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return join(folder, "docs");
}

/** Renders these pages as the site does; gives their HTML by path, and the faults of their links. */
async function rendered(t, pages) {
  const folder = folderOf(t, pages);
  const links = new Links(folder, true);
  // It is kept between calls, with the folder of the first.
  disposeMdItInstance();
  const md = await createMarkdownRenderer(folder, {
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slug },
    config(renderer) {
      keepLiteral(renderer);
      links.install(renderer);
    },
  });
  const html = {};
  for (const [path, text] of Object.entries(pages).filter(([path]) => path.endsWith(".md"))) {
    html[path] = md.render(text, { relativePath: path, path: join(folder, path) });
  }
  return { html, faults: links.faults() };
}

/** The words of it that a reader sees. */
function textOf(html) {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|#x3C);/g, "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#123;", "{");
}

test("what reads like a template, HTML or an emoji is text", async (t) => {
  const page =
    "# One\n\nA {{ brace }}, a <b>tag</b>, `<T> {{ code }}`, :tada: and {#no-id}.\n\n```skirmish\n{{ a }} <b>\n```\n";
  const { html } = await rendered(t, { "one.md": page });
  assert.match(textOf(html["one.md"]), /A {{ brace }}, a <b>tag<\/b>, <T> {{ code }}, :tada: and {#no-id}\./);
  const [block, ...rest] = html["one.md"].split("<pre").reverse();
  assert.ok(block.includes("v-pre") && textOf(block).includes("{{ a }} <b>"), block);
  // Outside of blocks Vue finds nothing to fill in.
  assert.ok(!rest.join().includes("{{"), rest.join());
});

test("links lead to pages and their headings, and those out of the folder become text", async (t) => {
  const { html, faults } = await rendered(t, {
    "one.md":
      "# One\n\n[two](deep/two.md#who-could-cheat-with-whom), [`the file`](../top.rs), [words](../top.rs), [web](https://example.com/a), [two.md](deep/two.md).\n",
    "deep/two.md": "# Two\n\n## Who could cheat, with whom\n\n[back](../one.md) [here](#two)\n",
    "../top.rs": "",
  });
  assert.deepEqual(faults, []);
  assert.match(textOf(html["one.md"]), /two, the file, words \(top\.rs\), web, Two\./);
  assert.match(html["one.md"], /href="[^"]*deep\/two\.html#who-could-cheat-with-whom"/);
});

for (const [link, fault] of [
  ["gone.md", "docs/deep/two.md: nothing is at deep/gone.md"],
  ["../one.md#gone", "docs/deep/two.md: nothing is at one.md#gone"],
  ["#gone", "docs/deep/two.md: nothing is at deep/two.md#gone"],
]) {
  test(`a link to ${link} is a fault`, async (t) => {
    const { faults } = await rendered(t, { "one.md": "# One\n", "deep/two.md": `# Two\n\n[dead](${link})\n` });
    assert.deepEqual(faults, [fault]);
  });
}

test("a link out of the folder to nothing is a fault", async (t) => {
  await assert.rejects(rendered(t, { "one.md": "[gone](../gone.rs)\n" }), /docs\/one\.md: there is no gone\.rs/);
});

test("the sidebar is the list of the first page", (t) => {
  const folder = folderOf(t, { "index.md": LIST, "one.md": "", "deep/two.md": "", "site/README.md": "" });
  const below = [{ text: "More of it", link: "/deep/two.md" }];
  const items = [{ text: "One", link: "/one.md", items: below, collapsed: true }];
  assert.deepEqual(sidebarOf(folder), [{ text: "Start", items }]);
});

test("a page that is in no list is a fault, and so is one that is listed twice", (t) => {
  const left = folderOf(t, { "index.md": "# Pages\n\nText with [a link](one.md).\n", "one.md": "", "deep/two.md": "" });
  assert.throws(() => sidebarOf(left), /docs\/index\.md leaves out deep\/two\.md, one\.md/);
  const twice = folderOf(t, { "index.md": `${LIST}- [One](one.md)\n`, "one.md": "", "deep/two.md": "" });
  assert.throws(() => sidebarOf(twice), /docs\/index\.md lists twice \/one\.md/);
});

test("a script in a page becomes a file", (t) => {
  const folder = folderOf(t, { "one.md": "" });
  const html = withScriptsOutside('<script id="dark">a()</script><script src="/x.js"></script>', folder, "/docs/");
  const [, name] = /^<script src="\/docs\/assets\/(dark\.[0-9a-f]{8}\.js)"><\/script><script src="\/x\.js">/.exec(html);
  assert.equal(readFileSync(join(folder, "assets", name), "utf8"), "a()");
});

test("the site that was built has each page, and no script that is not a file", () => {
  const built = readdirSync(BUILT, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  for (const page of ["index.html", "404.html", "api.html", "games/skirmish.html"])
    assert.ok(built.includes(page), page);
  for (const page of built) {
    const html = readFileSync(join(BUILT, page), "utf8");
    for (const [script, attributes] of html.matchAll(/<script([^>]*)>/g)) {
      const [, path] = /src="\/docs\/([^"]*)"/.exec(attributes) ?? assert.fail(`${page}: ${script}`);
      assert.ok(existsSync(join(BUILT, path)), `${page}: ${path}`);
    }
  }
});
