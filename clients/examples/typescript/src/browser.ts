// A random bot for a page: gRPC-Web has no stream in two directions, so it watches its seat, and acts call by call.
import { createClient, type Transport } from "@connectrpc/connect";
import { LegalDetail } from "./gen/edgehill/v1/action_pb.js";
import { MatchService } from "./gen/edgehill/v1/match_service_pb.js";
import type { MatchResult } from "./gen/edgehill/v1/view_pb.js";
import { chooseAction, takeSeat } from "./seat.js";

export async function play(transport: Transport, game: string): Promise<MatchResult | undefined> {
  const { matchId, seatToken } = await takeSeat(transport, game);
  const matches = createClient(MatchService, transport);
  const options = { headers: { authorization: `Bearer ${seatToken}` } };
  let result: MatchResult | undefined;
  for await (const { update } of matches.watchMatch({ matchId, legal: LegalDetail.IDS }, options)) {
    result = update?.state?.result ?? result;
    if (!update?.legalActions) continue;
    // Legal actions come once for each decision, so the number of the update is an id that no other decision has.
    const requestId = `seq-${update.seq}`;
    const batch = { actions: chooseAction(update.legalActions) };
    await matches.applyActions({ matchId, requestId, batch }, options);
  }
  return result;
}
