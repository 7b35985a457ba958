/** The code of docs/sdk-typescript.md and docs/ui.md, and the package as a user has it: the quickstart, which is that of docs/quickstarts.md, runs in a clean folder. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { promisify } from "node:util";
import { there } from "./asking.js";
import { fileOf, ROOT, Server } from "./running.js";

const run = promisify(execFile);
const server = await Server.start({ after });
const env = { ...process.env, EDGEHILL_SERVER: server.address };
const PACKAGE = join(ROOT, "clients/typescript");

/** The lines of code of the quickstart. */
function quickstart(): string[] {
  const [, code] = /^```ts\n(.*?)^```/ms.exec(fileOf("clients/typescript/README.md")) ?? [];
  return there(code).trimEnd().split("\n");
}

test("the manual, from its beginning to its end", async () => {
  const { stdout } = await run("node", [join(import.meta.dirname, "pages/manual.js")], { env });
  assert.match(stdout, /CARD_PICKED/);
});

test("the guide of user interfaces, from its beginning to its end", async () => {
  const { stdout } = await run("node", [join(import.meta.dirname, "pages/ui.js")], { env });
  const lines = stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^Skirmish \d+ 1$/);
  assert.match(lines[1] ?? "", /^7 10 \[ '#[0-9a-f]{6}', '#[0-9a-f]{6}' \]$/);
  assert.match(stdout, /\n\d+ 2\n\d+ blocks with a mark\ntrue \w+\n\d+\n$/);
});

test("the quickstart of the pages is the one that runs", () => {
  assert.ok(fileOf("docs/quickstarts.md").includes(`\`\`\`ts\n${quickstart().join("\n")}\n\`\`\`\n`));
});

test("the quickstart runs with the package alone, in a clean folder", async (t) => {
  const lines = quickstart();
  assert.ok(lines.length < 20);
  const folder = mkdtempSync(join(tmpdir(), "edgehill-package-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // It was built for this suite; prepack would build it once more, under the other suites' feet.
  const packed = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: PACKAGE,
  });
  const [tarball] = JSON.parse(packed.stdout);
  const files: string[] = tarball.files.map(({ path }: { path: string }) => path);
  const outside = files.filter((path) => !path.startsWith("dist/") && !["README.md", "package.json"].includes(path));
  assert.deepEqual(outside, []);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...quiet, `./${tarball.filename}`], { cwd: folder });
  const installed = JSON.parse(readFileSync(join(folder, "node_modules/edgehill/package.json"), "utf8"));
  assert.equal(installed.edgehill.api, "edgehill.v1");
  for (const { types, default: code } of [installed.exports["./browser"], installed.exports["./v1"]]) {
    for (const path of [types, code]) assert.ok(existsSync(join(folder, "node_modules/edgehill", path)), path);
  }

  const code = lines.join("\n").replace("localhost:7400", server.address);
  writeFileSync(join(folder, "quickstart.ts"), code);
  // The declarations of the other entries compile as well.
  const entries = ["browser", "v1", "dice"].map((entry) => `export * as ${entry} from "edgehill/${entry}";\n`);
  writeFileSync(join(folder, "entries.ts"), entries.join(""));
  const compiler = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "esnext,dom",
    "quickstart.ts",
    "entries.ts",
  ];
  await run(join(PACKAGE, "node_modules/.bin/tsc"), compiler, { cwd: folder });
  const { stdout } = await run("node", ["quickstart.js"], { cwd: folder });
  assert.match(stdout, /^\d+ actions, \w+: -?\d -?\d\n\d+ rolls are those/);
});
