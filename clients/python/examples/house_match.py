"""Makes a match against a house bot, plays it to the end, and checks its dice: `python house_match.py [server]`."""

import sys

from edgehill import Bot, Client, PlayedSeat, check_dice, house_bot, play, v1


class Marcher(Bot):
    """Acts while it can: passing and ending its turn are for when nothing else is left."""

    detail = v1.LEGAL_DETAIL_FULL

    def choose(self, seat: PlayedSeat, legal: v1.LegalList) -> int:
        acts = [action for action in legal.actions if action.kind == v1.VERB_KIND_PLAY]
        return (acts or legal.actions)[0].id

    def hear(self, seat: PlayedSeat, event: v1.Event) -> None:
        print(f"{event.seq:4} {event.code}")


def main(server: str) -> None:
    with Client(server) as client:
        made = client.create("skirmish", seats=[house_bot("random")])
        seat = client.join(made.terms.match_id, player="Marcher")
        play(client, {seat: Marcher()})

        over = client.get(seat.match_id).state
        print(f"{over.ending.code}: {list(over.ending.returns)}")
        record = client.record(seat.match_id).text
        checked = check_dice(made.terms, over, record, entropies={1: seat.entropy})
        print(f"{checked.rolls} rolls are those that the server was bound to before the match")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "localhost:7400")
