/**
 * Links of the pages: those that lead out of the folder become text, since a site can't follow them; all others lead to a page,
 * and to a heading on it, that is there. A link that is called after a file bears the page's title.
 */

import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

type Rule = Parameters<MarkdownRenderer["core"]["ruler"]["push"]>[1];
type State = Parameters<Rule>[0];
type Token = State["tokens"][number];

/** A link from one page to another. */
interface Link {
  from: string;
  to: string;
  anchor: string | undefined;
}

/** The headings and links of pages, as they are rendered. */
export class Links {
  readonly #folder: string;
  readonly #isWhole: boolean;
  readonly #anchors = new Map<string, Set<string>>();
  readonly #links = new Map<string, Link[]>();

  /** Links of the pages in `folder`. Where it is in a whole checkout, files that links out of it name have to be there. */
  constructor(folder: string, isWhole: boolean) {
    this.#folder = folder;
    this.#isWhole = isWhole;
  }

  /** Has the renderer note headings and links, and write as text what leads out of the folder. */
  install(md: MarkdownRenderer): void {
    md.core.ruler.push("links_of_pages", (state: State) => {
      const page = state.env.relativePath;
      if (typeof page !== "string") return;
      const ids = state.tokens.filter(({ type }) => type === "heading_open").map((token) => token.attrGet("id") ?? "");
      this.#anchors.set(page, new Set(ids));
      this.#links.set(page, []);
      for (const token of state.tokens) {
        if (token.children) token.children = this.#followed(page, token.children, state);
      }
    });
  }

  /** Faults of all links that were rendered: one line each. */
  faults(): string[] {
    const dead = [...this.#links.values()].flat().filter(({ to, anchor }) => {
      const anchors = this.#anchors.get(to);
      return !anchors || (anchor !== undefined && !anchors.has(anchor));
    });
    return dead.map(({ from, to, anchor }) => `docs/${from}: nothing is at ${to}${anchor ? `#${anchor}` : ""}`);
  }

  /** The title of a page, for links whose text is the name of its file. */
  #titleOf(page: string): string | undefined {
    const file = join(this.#folder, page);
    return existsSync(file) ? /^# (.*)$/m.exec(readFileSync(file, "utf8"))?.[1]?.replaceAll("`", "") : undefined;
  }

  /** The parts of a line, with links that lead out of the folder as text. */
  #followed(page: string, parts: Token[], state: State): Token[] {
    const followed: Token[] = [];
    /** The path that the link which is open leads to, if it leads out. */
    let outside: string | undefined;
    let begin = 0;
    for (const part of parts) {
      const href = part.type === "link_open" ? part.attrGet("href") : null;
      if (href && !/^[a-z]+:/i.test(href)) {
        const [path = "", anchor] = href.split("#");
        const to = path === "" ? page : posix.join(posix.dirname(page), decodeURI(path));
        if (to.startsWith("../") || !to.endsWith(".md")) {
          outside = posix.join("docs", to);
          begin = followed.length;
          if (this.#isWhole && !existsSync(join(this.#folder, to)))
            throw new Error(`docs/${page}: there is no ${outside}`);
          continue;
        }
        const [text] = parts.slice(parts.indexOf(part) + 1);
        if (text?.content === posix.basename(to)) text.content = this.#titleOf(to) ?? text.content;
        this.#links.get(page)?.push({ from: page, to, anchor: anchor && decodeURIComponent(anchor) });
      }
      if (part.type === "link_close" && outside !== undefined) {
        const isCode = followed.slice(begin).some(({ type }) => type === "code_inline");
        if (!isCode) followed.push(...located(outside, state));
        outside = undefined;
        continue;
      }
      followed.push(part);
    }
    return followed;
  }
}

/** The words that say where in the repository something is. */
function located(path: string, state: State): Token[] {
  const text = (content: string): Token => Object.assign(new state.Token("text", "", 0), { content });
  const code = Object.assign(new state.Token("code_inline", "code", 0), { content: path, markup: "`" });
  return [text(" ("), code, text(")")];
}
