// A random bot for Node: it plays over one PlaySeats stream.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import { createWritableIterable } from "@connectrpc/connect/protocol";
import { MatchService } from "./gen/edgehill/v1/match_service_pb.js";
import type { PlaySeatsRequestSchema } from "./gen/edgehill/v1/play_pb.js";
import { ErrorReason, type Refusal } from "./gen/edgehill/v1/refusal_pb.js";
import type { MatchResult } from "./gen/edgehill/v1/view_pb.js";
import { chooseAction, takeSeat } from "./seat.js";

export async function play(transport: Transport, game: string): Promise<MatchResult | undefined> {
  const { seatToken } = await takeSeat(transport, game);
  const calls = createWritableIterable<MessageInitShape<typeof PlaySeatsRequestSchema>>();
  void calls.write({ call: { case: "open", value: { seatToken, omitEvents: true } } });
  let actionsSent = 0;
  let result: MatchResult | undefined;
  for await (const { message } of createClient(MatchService, transport).playSeats(calls)) {
    switch (message.case) {
      case "update": {
        result = message.value.state?.result ?? result;
        const legal = message.value.legalActions;
        if (legal) {
          const value = { actions: chooseAction(legal) };
          void calls.write({ requestId: `${++actionsSent}`, call: { case: "apply", value } });
        }
        break;
      }
      case "refusal":
        throw refused(message.value);
      case "closed":
        if (message.value.refusal) throw refused(message.value.refusal);
        calls.close();
    }
  }
  return result;
}

const refused = ({ reason, message }: Refusal) => new Error(`${ErrorReason[reason]}: ${message}`);
