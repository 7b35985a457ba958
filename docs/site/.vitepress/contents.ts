/** The sidebar: what docs/index.md lists, under its headings. A page that it leaves out is a fault. */

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import MarkdownIt from "markdown-it";
import type { DefaultTheme } from "vitepress";

type Token = ReturnType<MarkdownIt["parse"]>[number];
type Item = DefaultTheme.SidebarItem & { text: string; link: string };

/** The page that lists all others. */
const CONTENTS = "index.md";

/** The pages below a folder, as paths from it, but for those of the site itself. */
function pagesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  return files.filter((path) => path.endsWith(".md") && !path.startsWith("site/")).sort();
}

/** The links to pages in one entry of a list, in their order. */
function linksOf(entry: Token): Item[] {
  const links: Item[] = [];
  const parts = entry.children ?? [];
  for (const [at, part] of parts.entries()) {
    const href = part.type === "link_open" ? part.attrGet("href") : null;
    if (!href?.endsWith(".md") || href.startsWith("../")) continue;
    const text = parts.slice(
      at + 1,
      parts.findIndex((other, later) => later > at && other.type === "link_close"),
    );
    const words = text.map(({ content }) => content).join("");
    links.push({ text: words.charAt(0).toUpperCase() + words.slice(1), link: `/${posix.normalize(href)}` });
  }
  return links;
}

/**
 * The groups of the sidebar. The first link of an entry is its page, and further ones are pages below that.
 *
 * @throws If a page of the folder is in no list, or in two.
 */
export function sidebarOf(folder: string): DefaultTheme.SidebarItem[] {
  const tokens = new MarkdownIt().parse(readFileSync(join(folder, CONTENTS), "utf8"), {});
  const groups: { text: string; items: DefaultTheme.SidebarItem[] }[] = [];
  const listed = [`/${CONTENTS}`];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    const content = tokens[at + 1]?.content ?? "";
    if (token.type === "heading_open" && token.tag === "h2") groups.push({ text: content, items: [] });
    if (token.type === "list_item_open") depth += 1;
    if (token.type === "list_item_close") depth -= 1;
    if (token.type !== "inline" || depth === 0) continue;
    const [page, ...below] = linksOf(token);
    if (!page) continue;
    listed.push(page.link, ...below.map(({ link }) => link));
    groups.at(-1)?.items.push(below.length > 0 ? { ...page, items: below, collapsed: true } : page);
  }
  const twice = listed.filter((link, at) => listed.indexOf(link) !== at);
  const missing = pagesBelow(folder).filter((page) => !listed.includes(`/${page}`));
  if (missing.length > 0) throw new Error(`docs/${CONTENTS} leaves out ${missing.join(", ")}`);
  if (twice.length > 0) throw new Error(`docs/${CONTENTS} lists twice ${twice.join(", ")}`);
  return groups;
}
