// Plays a match of each game by clicking legal actions on the page, as a person does: see test.sh.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const page = new URL("../../../target/board/page/", import.meta.url);
const server = process.env.EDGEHILL_SERVER.replace(/^(?!http)/, "http://");
const clicksMax = Number(process.env.EDGEHILL_CLICKS ?? 150);
const screenshots = process.env.EDGEHILL_SCREENSHOTS;

/** A generator of numbers below `n`: the same clicks in every run against the same dice. */
let state = 11;
const below = (n) => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * n);

const files = createServer(async ({ url }, response) => {
  const path = new URL(url, "http://page/").pathname;
  const body = await readFile(new URL(path === "/" ? "index.html" : `.${path}`, page)).catch(() => undefined);
  const type = path.endsWith(".js") ? "text/javascript" : "text/html";
  response.writeHead(body ? 200 : path === "/favicon.ico" ? 204 : 404, { "content-type": type }).end(body);
});
await new Promise((listening) => files.listen(0, "127.0.0.1", listening));

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update",
  "--disable-sync"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });

async function play(tab, game, count) {
  await tab.selectOption("select[name=game]", { index: game });
  const title = await tab.locator("select[name=game] option:checked").innerText();
  await tab.click("text=New match");
  let clicks = 0;
  for (; clicks < count; clicks++) {
    const acting = tab.locator("[data-action]:not([disabled])");
    await tab.waitForFunction(() => document.querySelector("[data-action]:not([disabled])") || document.querySelector(".turn")?.innerText.startsWith("The end"));
    if ((await tab.locator(".turn").innerText()).startsWith("The end")) break;
    // A thing on the board filters the list; what is left is about it.
    const things = tab.locator("button.can");
    let before = await tab.locator("[data-seq]").getAttribute("data-seq");
    if (below(4) === 0 && (await things.count()) > 0) {
      await things.nth(below(await things.count())).dispatchEvent("click");
      // An update, of what the other side does, takes the pick back.
      await tab.waitForFunction((seq) => {
        const shown = document.body.innerText.includes("Show all") && document.querySelector("button.picked");
        return shown || document.querySelector("[data-seq]").dataset.seq !== seq;
      }, before);
      before = await tab.locator("[data-seq]").getAttribute("data-seq");
    }
    await acting.nth(below(await acting.count())).dispatchEvent("click");
    await tab.waitForFunction((seq) => document.querySelector("[data-seq]").dataset.seq !== seq, before);
  }
  const end = await tab.locator(".turn").innerText();
  console.log(`${title}: ${clicks} clicks; ${end}`);
  return { title, end };
}

const faults = [];
for (let game = 0, games = 1; game < games; game++) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: game % 2 ? "dark" : "light" });
  tab.setDefaultTimeout(20_000);
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.goto(`http://localhost:${files.address().port}/?server=${encodeURIComponent(server)}`);
  await tab.waitForSelector("select[name=game]");
  games = await tab.locator("select[name=game] option").count();
  const { title, end } = await play(tab, game, clicksMax);
  // A pointer on a piece tells about it.
  await tab.locator(".board .things button").first().dispatchEvent("pointerover");
  await tab.waitForSelector("aside section:not(:has-text('Point at a thing'))");
  const refusal = await tab.locator("[role=alert]").innerText();
  if (refusal) faults.push(`${title}: ${refusal}`);
  if (title === "Skirmish" && clicksMax >= 100 && !end.startsWith("The end")) faults.push("Skirmish did not end");
  if (screenshots) {
    await tab.screenshot({ path: `${screenshots}/${title.toLowerCase().replaceAll(" ", "-")}.png`, fullPage: true });
  }
  await tab.close();
}
await browser.close();
files.close();
for (const fault of faults) console.error(`FAULT: ${fault}`);
process.exitCode = faults.length ? 1 : 0;
