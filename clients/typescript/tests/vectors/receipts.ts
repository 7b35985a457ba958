/** The vectors of receipts: a transcript of a server's match, with its receipt, and what somebody may make of it. */

import { bytesToHex } from "@noble/hashes/utils.js";
import { type Client, Transcript } from "edgehill";
import { bothSeats, there } from "../asking.js";

/** The check of a transcript that fails first. */
export type TranscriptFault = "text" | "events" | "signature" | "signer";

/** A transcript, and all that a check of it comes to. */
export interface TranscriptVector {
  readonly name: string;
  readonly text: string;
  /** The keys that are trusted, in hexadecimal digits; `null`: none was named. */
  readonly signing_keys: readonly string[] | null;
  /** Number of receipts; absent where there is a fault. */
  readonly receipts?: number;
  /** Events that no receipt proves: first and last number. */
  readonly unproven?: readonly (readonly [number, number])[];
  /** True if a known server has signed for every event. */
  readonly complete?: boolean;
  readonly fault?: TranscriptFault;
}

/** Records a seat's transcript, with a receipt in its middle and one at its end. */
export async function transcriptVectors(client: Client): Promise<TranscriptVector[]> {
  const [north] = await bothSeats(client);
  const whole = new Transcript(north.matchId, 0);
  const addAll = async () => {
    const receipt = await north.receipt();
    for await (const { events } of north.watchMatch({ afterSeq: whole.seq })) {
      for (const event of events) whole.add(event);
      if (whole.seq === receipt.seq) break;
    }
    whole.addReceipt(receipt);
    return Number(receipt.seq);
  };
  await north.apply(there((await north.legal()).legalActions.ids[0]));
  await addAll();
  await north.undo();
  await north.apply(there((await north.legal()).legalActions.ids[1]));
  const last = await addAll();
  const key = bytesToHex(await client.signingKey());
  const text = whole.text();
  const lines = text.split("\n");
  const head = lines.slice(0, 3);
  const swapped = [...head, lines[4], lines[3], ...lines.slice(5)].join("\n");
  const dropped = [...lines.slice(0, 5), ...lines.slice(6)].join("\n");
  const unreceipted = lines.filter((line) => !line.startsWith("receipt ")).join("\n");
  const halfway = [...lines.slice(0, -2), ""].join("\n");
  const proven = lines.slice(3).findIndex((line) => line.startsWith("receipt "));
  const signed = { signing_keys: [key] };
  const flip = (digit: string) => (Number.parseInt(digit, 16) ^ 1).toString(16);
  const flipped = text.replace(/(.)(.{127}\n)$/, (_, digit: string, rest: string) => flip(digit) + rest);
  return [
    { name: "signed by a known key", text, ...signed, receipts: 2, unproven: [], complete: true },
    {
      name: "signed by a key that nobody has named",
      text,
      signing_keys: null,
      receipts: 2,
      unproven: [],
      complete: false,
    },
    { name: "without a receipt", text: unreceipted, ...signed, receipts: 0, unproven: [[1, last]], complete: false },
    {
      name: "events behind the last receipt",
      text: halfway,
      ...signed,
      receipts: 1,
      unproven: [[proven + 1, last]],
      complete: false,
    },
    { name: "two events swapped", text: swapped, ...signed, fault: "events" },
    { name: "an event left out", text: dropped, ...signed, fault: "events" },
    { name: "of another match", text: text.replace(/^match ./m, "match x"), ...signed, fault: "events" },
    { name: "of another observer", text: text.replace("observer 0", "observer spectator"), ...signed, fault: "events" },
    { name: "a signature that was changed", text: flipped, ...signed, fault: "signature" },
    { name: "signed by another key than the known one", text, signing_keys: ["00".repeat(32)], fault: "signer" },
    { name: "another form", text: text.replace("transcript 1", "transcript 2"), ...signed, fault: "text" },
    { name: "an observer that is none", text: text.replace("observer 0", "observer north"), ...signed, fault: "text" },
    { name: "a line that is none", text: `${text}recipe\n`, ...signed, fault: "text" },
    { name: "an event of digits that are none", text: `${text}event 1G\n`, ...signed, fault: "text" },
  ];
}
