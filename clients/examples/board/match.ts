// The match that is open: its catalogue, its stream folded into a view, and the calls of its seat.
import { equals, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import * as v1 from "edgehill/v1";

const server = new URLSearchParams(location.search).get("server") ?? "http://localhost:7400";
const transport = createGrpcWebTransport({ baseUrl: server });
export const catalog = createClient(v1.CatalogService, transport);
export const service = createClient(v1.MatchService, transport);

export let match: v1.Match | undefined, game: v1.Game, actionDefs: v1.ActionDef[];
/** The seat that is played here; its token is kept as long as the tab is. */
export let seat: { seat: number; token: string } | undefined;
/** The view, the number of the last event in it, the actions that are legal there, and the events in words, newest first. */
export let view: v1.View | undefined, seq = 0n, legal: v1.LegalAction[] = [], log: string[] = [];

/** Why the last call was refused, if it was. */
export let refusal = "";
/** To be called when there is something else to show. */
export let changed = () => {};
export const onChange = (call: () => void) => { changed = call; };
let stop = new AbortController();

/** A change replaces the entry that it names. */
function fold(view: v1.View, { entry: { case: name, value } }: v1.Change) {
  const board = view.board!;
  const put = <T>(list: T[], same: (entry: T) => boolean, ...now: T[]) => [...list.filter((entry) => !same(entry)), ...now];
  const alike = (a: v1.PieceGroup) => (b: v1.PieceGroup) => equals(v1.PieceGroupSchema, { ...a, count: 0 }, { ...b, count: 0 });
  const marker = (a: v1.MarkerKey) => ({ key }: v1.Marker) => equals(v1.MarkerKeySchema, a, key!);
  const arrow = (a: v1.ArrowKey) => ({ key }: v1.Arrow) => equals(v1.ArrowKeySchema, a, key!);
  if (name === "piece") board.pieces = put(board.pieces, ({ piece }) => piece === value.piece, value);
  if (name === "pieceGone") board.pieces = put(board.pieces, ({ piece }) => piece === value);
  if (name === "group") board.groups = put(board.groups, alike(value), ...(value.count ? [value] : []));
  if (name === "pile") board.piles = put(board.piles, ({ pile }) => pile === value.pile, value);
  if (name === "marker") board.markers = put(board.markers, marker(value.key!), value);
  if (name === "markerGone") board.markers = put(board.markers, marker(value));
  if (name === "arrow") board.arrows = put(board.arrows, arrow(value.key!), value);
  if (name === "arrowGone") board.arrows = put(board.arrows, arrow(value));
  if (name === "arrowsCleared") board.arrows = [];
  if (name === "known") view.known = value.known;
  if (name === "draft") view.draft = [...view.draft.slice(0, value.keep), ...value.add];
  if (name === "turnState") view.turnState = value;
}

function receive(update: v1.SeatUpdate) {
  if (update.view) view = update.view;
  else if (view) for (const change of update.events.flatMap(({ changes }) => changes)) fold(view, change);
  log.unshift(...update.events.map(({ text }) => text).filter((text) => text).reverse());
  if (update.state) match!.state = update.state;
  if (update.legalActions || !update.toAct) legal = update.legalActions?.actions ?? [];
  seq = update.seq;
  changed();
}

export function close() {
  stop.abort();
  match = undefined;
}

/** Opens a match, and goes on after the last number seen whenever the connection is lost. */
export async function open(found: v1.Match) {
  close();
  const { signal } = (stop = new AbortController());
  const { matchId, game: id } = found.config!;
  const [catalogue, table] = await Promise.all([catalog.getGame({ game: id }), catalog.listActionDefs({ game: id })]);
  [match, game, actionDefs, view, seq, legal, log] = [found, catalogue.game!, table.actionDefs, undefined, 0n, [], []];
  seat = JSON.parse(sessionStorage.getItem(matchId) ?? "null") ?? undefined;
  while (!signal.aborted) {
    try {
      const request = { matchId, includeText: true, legal: seat ? v1.LegalDetail.FULL : 0, ...(view ? { afterSeq: seq } : {}) };
      for await (const { update } of service.watchMatch(request, { ...authorized(), signal })) receive(update!);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (![Code.Unavailable, Code.Unknown].includes(ConnectError.from(error).code)) throw error;
      await new Promise((retry) => setTimeout(retry, 1000));
    }
  }
}

export async function create(game: string, scenario: string, seats: MessageInitShape<typeof v1.SeatConfigSchema>[]) {
  return (await service.createMatch({ requestId: requestId(), clientSecret, game, scenario, seats })).match!;
}

/** Takes a seat, with entropy of its own unless the dice were chosen, and opens the match. */
export async function join({ config }: v1.Match, wanted: number) {
  const { matchId, dice } = config!;
  const fair = dice!.origin !== v1.SeedOrigin.CHOSEN;
  const entropy = fair ? crypto.getRandomValues(new Uint8Array(32)) : new Uint8Array();
  const wish = { matchId, requestId: requestId(), clientSecret, seat: wanted, entropy, player: "Guest" };
  const joined = await service.joinMatch(wish);
  sessionStorage.setItem(matchId, JSON.stringify({ seat: joined.seat, token: joined.seatToken }));
  await open(joined.match!);
}

// The calls of the seat. The stream brings what follows from them.

/** What makes request ids this page's own. */
const clientSecret = crypto.getRandomValues(new Uint8Array(32));
const requestId = () => crypto.randomUUID();
const authorized = () => (seat ? { headers: { authorization: `Bearer ${seat.token}` } } : {});
const call = () => ({ matchId: match!.config!.matchId, requestId: requestId() });

export const apply = (id: number) => service.applyActions(
  { ...call(), batch: { expectedSeq: seq, actions: { encoding: { case: "ids", value: { values: [id] } } } } }, authorized());
export const undo = () => service.undoActions({ ...call(), span: { expectedSeq: seq } }, authorized());
export const resign = () => service.resignMatch(call(), authorized());

/** Waits for a call, and keeps why it is refused. */
export const attempt = (work: Promise<unknown>) =>
  work.then(() => "", (error) => ConnectError.from(error).rawMessage).then((text) => { refusal = text; changed(); });
