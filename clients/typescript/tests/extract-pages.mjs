/**
 * Makes programs of the pages' code, which the suite compiles and runs: in `ts` blocks each goes on from those before it;
 * `typescript` blocks are compiled alone, since they need accounts or a browser.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const PAGES = { quickstart: "clients/typescript/README.md", manual: "docs/sdk-typescript.md", ui: "docs/ui.md" };
const OUT = join(import.meta.dirname, "pages");

// Code on the page of generated clients, which needs no client: in a function of what it takes.
const REFUSED = `import { ConnectError } from "@connectrpc/connect";
import { ErrorReason, RefusalSchema } from "edgehill/v1";

export function refused(error: unknown): void {
`;

mkdirSync(OUT, { recursive: true });
const [, refused] = /^```ts\n(.*?)^```/ms.exec(readFileSync(join(ROOT, "docs/clients.md"), "utf8"));
writeFileSync(join(OUT, "refused.ts"), `${REFUSED}${refused}}\n`);
for (const [name, path] of Object.entries(PAGES)) {
  const page = readFileSync(join(ROOT, path), "utf8");
  const blocks = [...page.matchAll(/^```(ts|typescript)\n(.*?)^```/gms)].map(([, fence, code], place) => {
    const line = page.slice(0, page.indexOf(code)).split("\n").length;
    const text = code.replaceAll('"localhost:7400"', "SERVER");
    return `// ${path}, line ${line}\n${fence === "ts" ? text : `export async function block${place}() {\n${text}}\n`}`;
  });
  // The server of the page is this one.
  const program = ['const SERVER = process.env["EDGEHILL_SERVER"] ?? "";', ...blocks];
  writeFileSync(join(OUT, `${name}.ts`), program.join("\n"));
}
