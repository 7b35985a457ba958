/** Pages as they stand: what reads like a template of Vue, like HTML or like an emoji in them is text. */

import type { MarkdownRenderer } from "vitepress";

/** Languages with colours, by the word behind a fence; all others, such as a game's own notation, are shown plainly. */
const LANGUAGES = new Map([
  ["go", "go"],
  ["golang", "go"],
  ["ini", "ini"],
  ["java", "java"],
  ["json", "json"],
  ["nginx", "nginx"],
  ["py", "python"],
  ["python", "python"],
  ["rust", "rust"],
  ["sh", "sh"],
  ["toml", "toml"],
  ["ts", "ts"],
  ["typescript", "ts"],
  ["xml", "xml"],
  ["yaml", "yaml"],
]);

/** Takes from the renderer what pages on a shelf of files do not have. */
export function keepLiteral(md: MarkdownRenderer): void {
  md.core.ruler.disable("emoji", true);
  md.core.ruler.push("languages_of_fences", ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === "fence")) {
      const [word = ""] = token.info.split(" ");
      token.info = LANGUAGES.get(word) ?? "txt";
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
