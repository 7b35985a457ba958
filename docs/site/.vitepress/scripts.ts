/** Scripts in pages, as files: under the server's Content-Security-Policy a page runs none of its own. */

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A script that stands in a page. */
const INLINE = /<script(?: id="([\w-]+)")?>(.*?)<\/script>/gs;

/** The page with its scripts in files below `folder`, which is served as `base`. */
export function withScriptsOutside(html: string, folder: string, base: string): string {
  return html.replaceAll(INLINE, (_, id: string | undefined, script: string) => {
    const hash = createHash("sha256").update(script).digest("hex").slice(0, 8);
    const name = `${id ?? "script"}.${hash}.js`;
    mkdirSync(join(folder, "assets"), { recursive: true });
    writeFileSync(join(folder, "assets", name), script);
    return `<script src="${base}assets/${name}"></script>`;
  });
}
