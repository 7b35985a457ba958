// A page that knows no game: it draws what the catalogue lists and the view holds, and offers the actions that are legal.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, render, svg } from "lit-html";
import * as v1 from "edgehill/v1";
import { MarkerPriority, MatchStatus, PileFacing, PileLayout, Termination, VerbKind } from "edgehill/v1";
import { drawLobby, games, lobby } from "./lobby";
import { apply, attempt, onChange, resign, undo } from "./match";
import { actionDefs, game, legal, log, match, refusal, seat, seq, view } from "./match";
import { keyOf, entryOf, boxOf, nameOf, confidenceOf, withUnit, named, valueText, attributeText, codeText, roleText } from "./names";
import { filled, phraseText, markerDef, valueOf, markerText, markersAt, seatOf, colorOf, colorOfSide, paint } from "./names";

// The things that were clicked to filter the actions, and the one that the pointer is on.
let picked: string[] = [], pointed = "";

// The boards.
interface Spot { key: string; board: number; x: number; y: number }
/** The place of each thing that has one; the name of a track stands before its first box. */
const spots = (): Spot[] => [
  ...game.spaces.map(({ board, x, y }, i) => ({ key: `space:${i}`, board, x, y })),
  ...game.mats.map(({ board, x, y }, i) => ({ key: `mat:${i}`, board, x, y })),
  ...game.tracks.flatMap(({ board, boxes }, i) => {
    const [{ x, y }, down] = [boxes[0]!, runsDown(boxes)];
    return [{ key: `track:${i}`, board, x: x + (down && 0.6), y: y - (down ? 0 : 0.5) },
      ...boxes.map((box, n) => ({ key: `box:${i}.${n}`, board, x: box.x, y: box.y })).filter((_, n) => !boxes[n]!.sameAs)];
  }),
];
const runsDown = ([first, second]: v1.TrackBox[]) => Number(first!.x === second?.x);

function thing(key: string, text: unknown = nameOf(key), color?: string) {
  const can = legal.some(({ refs }) => refs.some((ref) => keyOf(ref) === key)) ? "can" : "";
  const look = `${can} ${picked.includes(key) ? "picked" : ""} ${confidenceOf(entryOf(key).confidence)}`;
  return html`<button class=${look} data-key=${key} style=${paint(color)}>${text}</button>`;
}

const pill = (text: string, title: string) => html`<span class="pill" title=${title}>${text}</span>`;
function pieceChip({ piece, kind, owner }: v1.Piece): unknown {
  const [key, face] = [`piece:${piece}`, game.kinds[kind]!];
  const numbers = markersAt(key, MarkerPriority.STATUS).map(({ number }) => number).join("/");
  const sign = face.back || face.entry!.name === nameOf(key) ? "" : face.shortLabel;
  const color = colorOf(owner) ?? colorOfSide(`kind:${kind}`, key);
  return [thing(key, html`<b>${numbers}${sign}</b> ${nameOf(key)}`, color), ...piecesAt(key)];
}

const piecesAt = (key: string): unknown[] => [
  ...view!.board!.pieces.filter(({ at }) => keyOf(at) === key).map(pieceChip),
  ...view!.board!.groups.filter(({ at }) => keyOf(at) === key).map(({ kind, owner, count }) =>
    thing(`kind:${kind}`, html`<b>${count} ×</b> ${nameOf(`kind:${kind}`)}`, colorOf(owner) ?? colorOfSide(`kind:${kind}`))),
];

/** All that lies at a place: pieces, status markers, orders that stay. */
const things = (key: string) => html`<div class="things">${piecesAt(key)}
  ${markersAt(key, MarkerPriority.STATUS).filter((marker) => seatOf(marker) === undefined).map((marker) => {
    const { entry, shortLabel: label } = markerDef(marker);
    const { values } = entry!;
    if (values.length && !marker.number) return nothing;
    return pill(values.length > 1 ? valueOf(marker)!.name : values.length ? label : `${label} ${marker.number}`, markerText(marker));
  })}
  ${view!.board!.arrows.filter(({ key: at }) => keyOf(at!.start) === key && keyOf(at!.end) === key)
    .map(({ key: at, result }) => pill(game.arrows[at!.kind]!.id, codeText(game.arrowResults, result)))}</div>`;

function place({ key, board }: Spot, at: string, size: string): unknown {
  const [list = "", index = ""] = key.split(":");
  const way = list === "track" && runsDown(game.tracks[Number(index)]!.boxes) ? "down" : "";
  if (list === "track") return html`<div class="track ${way}" style=${at}>${thing(key)}${things(key)}</div>`;
  if (list === "box") {
    const { label, number, grade } = boxOf(key);
    // A box that tracks share is drawn once, with the pawns of both.
    const [track, n] = index.split(".").map(Number);
    const boxes = [[track!, number], ...game.tracks.flatMap(({ boxes }, other) => boxes.flatMap((each) =>
      each.sameAs?.track === track && each.sameAs?.index === n ? [[other, each.number]] : []))];
    const pawns = boxes.flatMap(([of, at]) => markersAt(`track:${of}`, MarkerPriority.POSITION).filter((pawn) => pawn.number === at));
    return html`<div class="box" style=${at + size}>${thing(key, label || number)} <small>${grade.length < 3 ? grade : ""}</small>
      ${pawns.map((pawn) => html`<span class="pawn" title=${markerText(pawn)}>●</span>`)}</div>`;
  }
  const owner = markersAt(key).map(seatOf).find((each) => each !== undefined);
  const kind = list === "mat" ? "mat" : `kind-${game.spaces[Number(index)]!.kind}`;
  const inside = game.spaces.flatMap((space, i) => (`space:${space.within}` === key ? [`space:${i}`] : []));
  return html`<div class="place ${kind}" style=${at} data-key=${key}>${thing(key, nameOf(key), colorOf(owner))}${things(key)}
    ${inside.map((each) => place({ key: each, board, x: 0, y: 0 }, "", ""))}</div>`;
}

function drawBoard(board: v1.BoardDef, index: number) {
  const here = spots().filter((spot) => spot.board === index);
  const right = here.some(({ x }) => x > board.xMax / 2) ? board.xMax : Math.max(...here.map(({ x }) => x)) + 1;
  const lower = Math.max(board.yMax, ...here.map(({ y }) => y + 1));
  const [width, height] = [(right - board.xMin) * board.xScale, (lower - board.yMin) * board.yScale];
  const onPaper = ({ x, y }: Spot) => [(x - board.xMin) * board.xScale, (y - board.yMin) * board.yScale] as const;
  const points = here.map(onPaper);
  const gaps = points.flatMap((a, i) => points.slice(0, i).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1])));
  const room = here.some(({ key }) => key.startsWith("space")) ? 100 : 72;
  const pixels = Math.max(560, (width * room) / Math.min(...gaps.filter((gap) => gap >= board.xScale)));
  const percent = (spot: Spot) => `left: ${(100 * onPaper(spot)[0]) / width}%; top: ${(100 * onPaper(spot)[1]) / height}%;`;
  const size = `width: ${(100 * board.xScale) / width}%; height: ${(100 * board.yScale) / height}%`;
  const line = (from: string, to: string, look: string, color = "gray", text = "") => {
    const [start, end] = [from, to].map((key) => here.find((spot) => spot.key === key));
    if (!start || !end || from === to) return nothing;
    const [[x1, y1], [x2, y2]] = [onPaper(start), onPaper(end)];
    const middle = [(2 * x1 + 3 * x2) / 5, (2 * y1 + 3 * y2) / 5];
    return svg`<polyline points="${x1} ${y1} ${middle.join(" ")} ${x2} ${y2}" class=${look} stroke=${color}/>
      <text x=${middle[0]} y=${middle[1]}>${text}</text>`;
  };
  const adjacencies = game.spaces.filter((space) => space.board === index).flatMap((space) => space.adjacencies);
  const borders = [...new Set(adjacencies.map(({ kind }) => kind))];
  const hue = (kind: string) => `hsl(${40 + 165 * borders.indexOf(kind)} 40% 55%)`;
  return html`<section class="board" style="aspect-ratio: ${width / height}; width: ${pixels}px">
    <svg viewBox="0 0 ${width} ${height}" style="stroke-width: ${width / 600}; font-size: ${width / 90}px">
      <marker id="head" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="4" markerHeight="4" orient="auto">
        <path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker>
      ${game.spaces.map(({ adjacencies }, i) => adjacencies
        .filter(({ to }) => to > i || game.spaces[to]!.adjacencies.every((back) => back.to !== i))
        .map(({ to, kind, confidence }) => line(`space:${i}`, `space:${to}`, confidenceOf(confidence), hue(kind))))}
      ${view!.board!.arrows.map(({ key, result }) =>
        line(keyOf(key!.start), keyOf(key!.end), "arrow", colorOf(key!.seat), `${game.arrows[key!.kind]!.id} ${codeText(game.arrowResults, result)}`))}
    </svg>
    <h2>${board.entry!.name} ${borders.map((kind) => kind && html`<span style="color: ${hue(kind)}">━ ${codeText(game.adjacencyKinds, kind)}</span> `)}</h2>
    ${here.filter(({ key }) => game.spaces[Number(key.replace("space:", ""))]?.within === undefined)
      .map((spot) => place(spot, percent(spot), size))}</section>`;
}

// What stands beside the boards.
const bullets = (items: unknown[]) => html`<ul>${items.filter((item) => item).map((item) => html`<li>${item}</li>`)}</ul>`;

function drawPointed() {
  const { name, confidence, attributes = [], rulesText = [] } = entryOf(pointed);
  const space = pointed.startsWith("space") ? game.spaces[Number(pointed.slice(6))] : undefined;
  const piece = view!.board!.pieces.find((each) => `piece:${each.piece}` === pointed);
  return html`<h2>${name ?? "Point at a thing to read about it"}</h2>${bullets([
    space && `${game.spaceKinds[space.kind]!.name} ${space.region}`,
    space?.within !== undefined && `Lies in ${nameOf(`space:${space.within}`)}`,
    piece && [nameOf(`kind:${piece.kind}`), ...game.flags.filter((_, bit) => (piece.flags >> bit) & 1)].join(", "),
    ...markersAt(pointed).map(markerText), ...attributes.map(attributeText), ...rulesText,
    space && `Next to ${space.adjacencies.map(({ to, kind }) => withUnit(nameOf(`space:${to}`), codeText(game.adjacencyKinds, kind))).join(", ")}`,
    confidence && `Source: ${confidenceOf(confidence)}`,
  ])}`;
}

function turnText(toAct: number[]) {
  const { result, status, adjournment } = match!.state!;
  if (result) {
    const returns = result.returns.map((points, i) => `${game.seats[i]!.name} ${points}`).join(", ");
    return `The end by ${Termination[result.termination].toLowerCase()}: ${filled(result)} ${result.grade} (${returns})`;
  }
  if (!view) return `Not begun: ${MatchStatus[status].toLowerCase()}`;
  if (adjournment) return `Adjourned until ${timestampDate(adjournment.resumeTime!).toLocaleString()}`;
  if (toAct.includes(seat?.seat ?? -1)) return "It is your turn";
  return toAct.length ? `${toAct.map((each) => game.seats[each]!.name).join(" and ")} to act` : "Dice or a draw are due";
}

function drawTurn() {
  const { prompt, procedures = [], entitlements = [], warnings = [] } = view?.turnState ?? {};
  const node = view?.turnState?.node?.node;
  const toAct = node?.case === "decision" ? [node.value] : node?.case === "sealed" ? node.value.toAct : [];
  return html`<div class="row">${match!.state!.seats.map(({ player }, i) =>
      html`<span class="seat ${toAct.includes(i) ? "acts" : ""}" style="border-color: ${colorOf(i)}">${game.seats[i]!.name}:
      ${player || "nobody"}${i === seat?.seat ? " (you)" : ""} ${view ? things(`seat:${i}`) : nothing}</span>`)}</div>
    <p class="turn" role="status">${turnText(toAct)}</p><p>${prompt && phraseText(prompt)}</p>
    ${bullets([...procedures.map(({ frame, rule, stage, roles }) => {
      const def = game.procedures.find(({ name }) => name === frame);
      const at = named(def?.stages ?? [], stage) ?? (def?.counts && `${def.counts}: ${stage}`);
      return `${def?.label ?? frame}${at ? `, ${at}` : ""} (rule ${rule}) ${roles.map(({ name, what }) => {
        const role = game.roles.find((each) => each.name === name);
        return `${role?.label ?? name}: ${roleText(role, what)}`;
      }).join("; ")}`;
    }), ...warnings.map(phraseText), ...entitlements.map(({ what }) => phraseText(what!))])}`;
}

function drawActions() {
  if (!seat || !view || match!.state!.result) return nothing;
  const fitting = legal.filter(({ refs }) => picked.every((key) => refs.some((ref) => keyOf(ref) === key)));
  return html`<h2>Legal actions: ${fitting.length} ${picked.length ? `about ${picked.map(nameOf).join(" and ")}` : ""}</h2>
    <div class="row">
      ${picked.length ? html`<button @click=${() => { picked = []; draw(); }}>Show all</button>` : nothing}
      ${view.draft.length ? html`<button @click=${() => attempt(undo())}>Take back</button>` : nothing}
      <button @click=${() => attempt(resign())}>Resign</button>
    </div>
    <p>${view.draft.slice(-6).map((id) => actionDefs[id]!.notation).join("; ")}</p>
    <div class="actions">${fitting.map(({ id, kind, text, notation }) => html`<button data-action=${id} title=${notation}
      class=${VerbKind[kind].toLowerCase()} @click=${() => attempt(apply(id))}>${text}</button>`)}</div>`;
}

function drawMatch() {
  if (!view) return drawTurn();
  const mine = ({ pile }: v1.CardPile) => (game.piles[pile]!.owner === seat?.seat ? 0 : 1);
  const piles = view.board!.piles.filter(({ count }) => count).sort((a, b) => mine(a) - mine(b));
  return html`<div id="table">${drawBoard(game.boards[0]!, 0)}<aside data-seq=${seq}>
    <h2>${game.summary!.title}</h2>${drawTurn()}${drawActions()}<section>${drawPointed()}</section>
    <section><h2>Cards</h2>${piles.map(({ pile, count, cards }) => html`<h3 data-key="pile:${pile}"
      style="border-color: ${colorOf(game.piles[pile]!.owner)}">${nameOf(`pile:${pile}`)}: ${count}
      ${game.piles[pile]!.facing === PileFacing.NOBODY ? "face down" : ""}</h3>${things(`pile:${pile}`)}
      <div class="row ${PileLayout[game.piles[pile]!.layout].toLowerCase()}">${cards.map((card) => [thing(`card:${card}`), things(`card:${card}`)])}</div>`)}</section>
    <h2>What happened</h2><ol class="log">${log.map((text) => html`<li>${text}</li>`)}</ol>
    <details><summary>What is known of hidden things</summary>${bullets(view.known.map(({ faces, places, facts }) =>
      `${faces.map(({ what, number }) => withUnit(nameOf(keyOf(what)), number?.toString())).join(", ")} in
       ${places.map(({ at, count }) => `${nameOf(keyOf(at))} (${count})`).join(", ")} ${facts.map(phraseText)}`))}</details>
    ${game.charts.map(({ entry, columns, rows }) => html`<details><summary>${entry!.name}</summary><table>
      <tr>${columns.map((column) => html`<th>${column}</th>`)}</tr>${rows.map(({ cells, confidence }) => html`<tr
      class=${confidenceOf(confidence)}>${cells.map((cell) => html`<td>${valueText(cell)}</td>`)}</tr>`)}</table>
      ${bullets(entry!.rulesText)}</details>`)}
  </aside></div><div class="row">${game.boards.slice(1).map((board, i) => drawBoard(board, i + 1))}</div>`;
}

let due = 0;
function draw() {
  due ||= requestAnimationFrame(() => {
    due = 0;
    render(html`<header class="row"><h1>Edgehill</h1><button @click=${() => attempt(lobby())}>Matches</button></header>
      <p role="alert">${refusal}</p>${match ? drawMatch() : games.length ? drawLobby() : "Loading ..."}`, document.body);
  });
}

document.addEventListener("click", ({ target }) => {
  for (let at = (target as Element).closest("[data-key]"); at; at = at.parentElement!.closest("[data-key]")) {
    const key = at.getAttribute("data-key")!;
    if (!legal.some(({ refs }) => refs.some((ref) => keyOf(ref) === key))) continue;
    picked = picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-2);
    return draw();
  }
});
for (const type of ["pointerover", "focusin"]) document.addEventListener(type, ({ target }) => {
  const key = (target as Element).closest("[data-key]")?.getAttribute("data-key");
  if (key && match) { pointed = key; draw(); }
});
onChange(() => { picked = []; draw(); });
attempt(lobby());
