/** The package in a real browser: a bundler takes the browsers' half of it, and a page plays a match with that. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { ROOT, Server } from "./running.js";

/** The page: it plays a house bot by WatchMatch and calls, and says how that went. */
const PAGE = `
  import { connect, houseBot, RandomBot, runBot, Unsupported, verifyDice } from "edgehill";
  try {
    const client = connect(SERVER);
    const { match } = await client.create("skirmish", { seats: [houseBot()] });
    const seat = await client.join(match.config.matchId);
    const { result } = await runBot(client, seat, new RandomBot());
    const { state } = await client.get(seat.matchId);
    const { rolls } = verifyDice(match.config, state, (await client.record(seat.matchId)).text);
    let play;
    try {
      client.playSeats();
    } catch (error) {
      play = error instanceof Unsupported;
    }
    await fetch("/done", { method: "POST", body: JSON.stringify({ code: result.code, rolls, play }) });
  } catch (error) {
    await fetch("/done", { method: "POST", body: JSON.stringify({ error: String(error) }) });
  }
`;

/** The command of a Chromium; undefined: there is none. */
function chromium(): string | undefined {
  const named = [process.env["CHROMIUM"] ?? "chromium", "chromium-browser"];
  return named.find((command) => spawnSync(command, ["--version"]).status === 0);
}

const command = chromium();
const skip = command === undefined && !process.env["CI"] ? "no Chromium" : false;

test("a page plays a match in Chromium", { skip }, async (t) => {
  assert.ok(command, "Chromium is missing");
  const server = await Server.start(t);
  const bundled = await build({
    stdin: { contents: PAGE, resolveDir: join(ROOT, "clients/typescript") },
    bundle: true,
    format: "esm",
    platform: "browser",
    define: { SERVER: JSON.stringify(server.address) },
    write: false,
  });
  const [script] = bundled.outputFiles;
  let say: (told: unknown) => void = () => {};
  const told = new Promise<unknown>((resolve) => {
    say = resolve;
  });
  const site = createServer(async (request, response) => {
    if (request.url === "/done") {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk);
      say(JSON.parse(Buffer.concat(body).toString()));
      response.end();
      return;
    }
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script?.text : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const bound = site.address();
  assert.ok(bound && typeof bound === "object");
  const profile = mkdtempSync(join(tmpdir(), "edgehill-chromium-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const browser = spawn(command, [...flags, `http://localhost:${bound.port}/`], { stdio: "ignore" });
  t.after(async () => {
    const ended = once(browser, "exit");
    browser.kill();
    await ended;
    site.closeAllConnections();
    site.close();
    // The browser's helpers outlive it by a moment and write on. Only this `rm` lists a folder anew at each retry: rmSync does not.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  const { code, rolls, play, error } = Object(await told);
  assert.equal(error, undefined);
  assert.deepEqual([typeof code, typeof rolls, play], ["string", "number", true]);
});
