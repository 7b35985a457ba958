/** Pages as they stand: what reads like a template of Vue, like HTML or like an emoji in them is text. */

import type { MarkdownRenderer } from "vitepress";

/** Words behind a fence that are no language with colours, and the language that they are shown as. */
const LANGUAGES = new Map([
  ["console", "txt"],
  ["cruel-necessity", "txt"],
  ["edg", "txt"],
  ["golang", "go"],
  ["py", "python"],
  ["rust,ignore", "rust"],
  ["skirmish", "txt"],
  ["text", "txt"],
  ["this-war", "txt"],
  ["unhappy-king", "txt"],
]);

/** Takes from the renderer what pages on a shelf of files do not have. */
export function keepLiteral(md: MarkdownRenderer): void {
  md.core.ruler.disable("emoji", true);
  md.core.ruler.push("languages_of_fences", ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === "fence")) {
      const [word = ""] = token.info.split(" ");
      token.info = LANGUAGES.get(word) ?? word;
    }
  });
  md.disable("snippet", true);
  for (const kind of ["text", "code_inline"]) {
    const rule = md.renderer.rules[kind];
    md.renderer.rules[kind] = (tokens, at, options, env, self) => {
      const html = rule?.(tokens, at, options, env, self) ?? md.utils.escapeHtml(tokens[at]?.content ?? "");
      return html.replaceAll("{{", "&#123;&#123;");
    };
  }
}
