// What both bots share: a match with a seat to play, and the choice of an action.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import type { ActionListSchema, LegalActions } from "./gen/edgehill/v1/action_pb.js";
import { CatalogService } from "./gen/edgehill/v1/catalog_service_pb.js";
import { SeatKind } from "./gen/edgehill/v1/match_pb.js";
import { MatchService } from "./gen/edgehill/v1/match_service_pb.js";

// Makes a match and takes its first seat; the house bot `random` has the others.
export async function takeSeat(transport: Transport, game: string) {
  const found = await createClient(CatalogService, transport).getGame({ game });
  const others = (found.game?.scenarios[0]?.seats ?? 1) - 1;
  const seats = [{ kind: SeatKind.OPEN }, ...Array(others).fill({ kind: SeatKind.HOUSE_BOT, bot: "random" })];
  const matches = createClient(MatchService, transport);
  const clientSecret = crypto.getRandomValues(new Uint8Array(32)); // it makes request ids this bot's own
  const created = await matches.createMatch({ requestId: "create", clientSecret, game, seats });
  const matchId = created.match?.config?.matchId ?? "";
  const { seatToken } = await matches.joinMatch({ requestId: "join", clientSecret, matchId });
  return { matchId, seatToken };
}

export function chooseAction({ ids }: LegalActions): MessageInitShape<typeof ActionListSchema> {
  const chosen = ids[Math.floor(Math.random() * ids.length)]!;
  return { encoding: { case: "ids", value: { values: [chosen] } } };
}
