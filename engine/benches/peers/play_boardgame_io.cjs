// A random card game for two through boardgame.io's master: each move goes to the master, which applies it, filters the state for each
// player, and sends it to both clients, which reduce it; a player moves when their client shows that it is their turn.
process.env.NODE_ENV = "production";

const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");
const { PlayerView } = require("boardgame.io/core");

/** Each has five of 52 cards; a player plays one and draws one, until the deck is used up and the hands are empty. */
const cards = {
  name: "cards",
  setup: ({ random }) => {
    const deck = random.Shuffle([...Array(52).keys()]);
    return { players: { 0: deck.splice(0, 5), 1: deck.splice(0, 5) }, secret: { deck }, left: 42, played: [], points: [0, 0] };
  },
  playerView: PlayerView.STRIP_SECRETS,
  moves: {
    play: {
      move: ({ G, playerID }, index) => {
        const hand = G.players[playerID];
        const [card] = hand.splice(index, 1);
        G.played.push(card);
        G.points[playerID] += card % 13;
        if (G.secret.deck.length > 0) hand.push(G.secret.deck.pop());
        G.left = G.secret.deck.length;
      },
      client: false,
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (G.played.length === 52 ? { points: G.points } : undefined),
};

let state = 1642;
const below = (n) => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * n);

/** Plays a game; returns its moves. */
function play() {
  const match = { game: cards, multiplayer: Local(), matchID: `${below(1e9)}`, debug: false };
  const clients = ["0", "1"].map((playerID) => Client({ ...match, playerID }));
  clients.forEach((client) => client.start());
  let moves = 0;
  for (;;) {
    const { ctx } = clients[0].getState();
    if (ctx.gameover) break;
    const client = clients[Number(ctx.currentPlayer)];
    const { G } = client.getState();
    client.moves.play(below(G.players[ctx.currentPlayer].length));
    moves += 1;
  }
  clients.forEach((client) => client.stop());
  return moves;
}

const games = Number(process.argv[2] ?? 200);
for (let game = 0; game < 20; game++) play();
const begin = process.cpuUsage();
let moves = 0;
for (let game = 0; game < games; game++) moves += play();
const { user, system } = process.cpuUsage(begin);
console.log(`boardgame.io 0.50.2, a card game for two, on Node ${process.versions.node}: ${games} games, ${moves} moves, ${((user + system) / moves).toFixed(1)} us of the processor a move`);
