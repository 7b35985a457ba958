// Finding and making matches.
import { html } from "lit-html";
import * as v1 from "edgehill/v1";
import { MatchStatus, SeatKind } from "edgehill/v1";
import { attempt, catalog, changed, close, create, join, open, service } from "./match";

/** The games that are served. */
export let games: v1.Game[] = [];
let matches: v1.Match[] = [], chosen = 0;

/** Leaves the match, and finds what can be played and what is. */
export async function lobby() {
  close();
  const { games: summaries } = await catalog.listGames({});
  games = await Promise.all(summaries.map(async ({ id }) => (await catalog.getGame({ game: id })).game!));
  ({ matches } = await service.listMatches({ pageSize: 30 }));
}

async function submit(event: SubmitEvent) {
  event.preventDefault();
  const form = new FormData(event.target as HTMLFormElement);
  const [{ summary, scenarios }, mine, bot] = [games[chosen]!, Number(form.get("seat")), `${form.get("bot")}`];
  const scenario = scenarios[Number(form.get("scenario"))]!;
  const made = await create(summary!.id, scenario.id, Array.from({ length: scenario.seats }, (_, i) =>
    i === mine || !bot ? { kind: SeatKind.OPEN } : { kind: SeatKind.HOUSE_BOT, bot }));
  await (mine < scenario.seats ? join(made, mine) : open(made));
}

export function drawLobby() {
  const option = ([value, text]: unknown[]) => html`<option value=${value}>${text}</option>`;
  const choice = (name: string, label: string, values: unknown[][], change?: (event: Event) => void) =>
    html`<label>${label} <select name=${name} @change=${change}>${values.map(option)}</select></label>`;
  const { scenarios, seats, houseBots } = games[chosen]!;
  return html`<form class="row" @submit=${(event: SubmitEvent) => attempt(submit(event))}>
      ${choice("game", "Game", games.map(({ summary }, i) => [i, summary!.title]),
        ({ target }) => { chosen = (target as HTMLSelectElement).selectedIndex; changed(); })}
      ${choice("scenario", "Scenario", scenarios.map(({ title }, i) => [i, title]))}
      ${choice("seat", "You are", [...seats.map(({ name }, i) => [i, name]), [seats.length, "a spectator"]])}
      ${choice("bot", "Others are", [...houseBots.map(({ name }) => [name, `house bot ${name}`]), ["", "whoever joins"]])}
      <button>New match</button></form>
    <ul>${matches.map((each) => html`<li class="row">${each.config!.game} ${MatchStatus[each.state!.status].toLowerCase()}
      <button @click=${() => attempt(open(each))}>Look</button>${each.state!.seats.map(({ kind, joined, player }, i) =>
        joined || kind !== SeatKind.OPEN || each.state!.status !== MatchStatus.WAITING ? html`<span>${player}</span>`
          : html`<button @click=${() => attempt(join(each, i))}>Take seat ${i + 1}</button>`)}</li>`)}</ul>`;
}
