/** The pages of docs/ as a site, in target/docs. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { sidebarOf } from "./contents.ts";
import { Links } from "./links.ts";
import { keepLiteral } from "./literal.ts";
import { withScriptsOutside } from "./scripts.ts";

const SITE = resolve(import.meta.dirname, "..");
const PAGES = resolve(SITE, "..");
const TARGET = resolve(PAGES, "../target/docs");
const BASE = "/docs/";
// What an image is built of has not every file.
const links = new Links(PAGES, existsSync(resolve(PAGES, "../.git")));

export default defineConfig({
  title: "Edgehill",
  description: "A game engine served over gRPC, with four board games of the English Civil War",
  lang: "en-GB",
  base: BASE,
  srcDir: "..",
  srcExclude: ["site/**"],
  outDir: TARGET,
  cacheDir: `${TARGET}-cache`,
  // A script of its own in each page would be one that the server forbids.
  metaChunk: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    html: false,
    attrs: { disable: true },
    // Anchors are those that the pages have where they are read as files.
    anchor: { slugify: slug },
    config(md) {
      keepLiteral(md);
      links.install(md);
    },
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: sidebarOf(PAGES),
    outline: { level: [2, 3] },
  },
  transformHtml: (html) => withScriptsOutside(html, TARGET, BASE),
  buildEnd() {
    const faults = links.faults();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  },
  vite: {
    // Pages lie above the packages that they are compiled against.
    resolve: { alias: [{ find: /^vue(?=$|\/server-renderer$)/, replacement: join(SITE, "node_modules/vue") }] },
    build: { chunkSizeWarningLimit: 4_096 },
  },
});
