// node out/main.js node|browser HOST:PORT GAME|all
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import * as browser from "./browser.js";
import { CatalogService } from "./gen/edgehill/v1/catalog_service_pb.js";
import * as node from "./node.js";

const [kind, server, wanted] = process.argv.slice(2);
if ((kind !== "node" && kind !== "browser") || !server || !wanted) {
  console.error("usage: main.js node|browser HOST:PORT GAME|all");
  process.exit(2);
}
const baseUrl = `http://${server}`;
const transport = kind === "node" ? createGrpcTransport({ baseUrl }) : createGrpcWebTransport({ baseUrl });
const bot = kind === "node" ? node : browser;
const { games } = await createClient(CatalogService, transport).listGames({});
for (const game of wanted === "all" ? games.map(({ id }) => id) : [wanted]) {
  const result = await bot.play(transport, game);
  if (!result) throw new Error(`${game}: the match has not finished`);
  console.log(`${game}: ${result.code}, returns ${result.returns.join(" ")}`);
}
