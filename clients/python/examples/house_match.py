"""Makes a match against a house bot, plays it to the end, and checks its dice: `python house_match.py [server]`."""

import sys

from edgehill import Bot, Client, PlayedSeat, check_dice, house_bot, run_bot, v1


class Marcher(Bot):
    """Plays while it can: passing and ending its turn are for when nothing else is left."""

    detail = v1.LEGAL_DETAIL_FULL

    def choose(self, seat: PlayedSeat, legal: v1.LegalActions) -> v1.LegalAction:
        plays = [action for action in legal.actions if action.kind == v1.VERB_KIND_PLAY]
        return (plays or legal.actions)[0]

    def on_event(self, seat: PlayedSeat, event: v1.Event) -> None:
        print(f"{event.seq:4} {event.code}")


def main(server: str) -> None:
    with Client(server) as client:
        made = client.create("skirmish", seats=[house_bot("random")])
        seat = client.join(made.match.config.match_id, player="Marcher")
        report = run_bot(client, seat, Marcher())
        print(f"{report.actions} actions")

        match = client.get(seat.match_id)
        print(f"{match.state.result.code}: {list(match.state.result.returns)}")
        record = client.record(seat.match_id)
        checked = check_dice(made.match.config, match.state, record.text, entropies={1: seat.entropy})
        print(f"{checked.rolls} rolls are those that the server was bound to before the match")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:7400")
