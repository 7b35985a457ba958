package edgehill

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	v1 "edgehill.dev/gen/edgehill/v1"

	"edgehill.dev/dice"
)

// acts has the acts of referees as a record calls them.
var acts = map[v1.RefereeActKind]string{
	v1.RefereeActKind_REFEREE_ACT_KIND_TIME_ADDED:        "time",
	v1.RefereeActKind_REFEREE_ACT_KIND_PLAYER_REPLACED:   "replaced",
	v1.RefereeActKind_REFEREE_ACT_KIND_MATCH_VOIDED:      "voided",
	v1.RefereeActKind_REFEREE_ACT_KIND_RESULT_CORRECTED:  "corrected",
	v1.RefereeActKind_REFEREE_ACT_KIND_MATCH_ADJOURNED:   "adjourned",
	v1.RefereeActKind_REFEREE_ACT_KIND_ADJOURNMENT_ENDED: "resumed",
}

// VerifyDiceOption has things that were written down while the match ran, and how the game draws: [WithEntropies],
// [WithEvents], [WithSides], [WithBags], [WithSigningKeys].
type VerifyDiceOption interface {
	set(*settings)
	verifyDice()
}

// DiceOption is an option of [VerifyDice] alone.
type DiceOption struct{ setter }

func (DiceOption) verifyDice() {}

// WithEntropies gives one's own entropies, by seat.
func WithEntropies(entropies map[uint32][]byte) DiceOption {
	return DiceOption{func(s *settings) { s.entropies = entropies }}
}

// WithEvents gives the events that one has seen; each draw that they rest on has to be in the record.
func WithEvents(events ...*v1.Event) DiceOption {
	return DiceOption{func(s *settings) { s.events = events }}
}

// WithSides gives the sides of the dice that the game rolls; without it 6.
func WithSides(sides int) DiceOption {
	return DiceOption{func(s *settings) { s.sides = sides }}
}

// WithBags gives, for a stream that draws from a bag, the ids of the cards that the bag begins with, each at the place that is its
// number, and "" at others.
func WithBags(bags map[uint32][]string) DiceOption {
	return DiceOption{func(s *settings) { s.bags = bags }}
}

// DiceCheck has the outcomes that were drawn again from the seed, and are as the record has them.
type DiceCheck struct {
	// Seed is the seed that everything was drawn from.
	Seed []byte
	// Rolls is the number of rolls that are as the seed gives them.
	Rolls int
	// Draws is the number of draws from bags that are as the seed gives them.
	Draws int
	// Unchecked are draws whose options only the rules know: choices, and bags that were not named or have been refilled.
	Unchecked []Drawn
	// UncheckedParts are the parts of the record that could not be checked, each with the reason, as in [RecordCheck].
	UncheckedParts map[RecordPart]string
}

// VerifyDice checks that the dice of a finished match were those that its host was bound to before anyone sat down, as docs/dice.md
// says under "Checking a match". That each die was due is for a replay by the rules to say (edgehill verify).
//
// published is the config as it was shown when the match was made; state and text are as the server has them now, from
// [Client.Get] and [Client.Record]. The error is [Unverified] for the first thing that does not check.
func VerifyDice(
	published *v1.MatchConfig, state *v1.MatchState, text string, options ...VerifyDiceOption,
) (*DiceCheck, error) {
	said := gathered(options)
	checked, err := verifyRecord(text, said)
	if err != nil {
		return nil, err
	}
	record := checked.Record
	if state.GetReveal() == nil {
		return nil, unverified("the seed is not revealed: the match, or its seed group, is not finished")
	}
	if err := checkMatch(published, state.GetReveal(), record); err != nil {
		return nil, err
	}
	seed, err := boundSeed(published, state, record)
	if err != nil {
		return nil, err
	}
	for _, seat := range slices.Sorted(maps.Keys(said.entropies)) {
		given := entropyAt(state.GetReveal(), placeOf(published, int(seat)))
		if err := same(fmt.Sprintf("the entropy of seat %d", seat), said.entropies[seat], given); err != nil {
			return nil, err
		}
	}
	if err := checkEnd(state, record); err != nil {
		return nil, err
	}
	check := &DiceCheck{Seed: seed, UncheckedParts: checked.Unchecked}
	if err := check.drawAgain(record.Drawn, said); err != nil {
		return nil, err
	}
	if len(check.Unchecked) > 0 {
		check.UncheckedParts[PartSeed] = fmt.Sprintf("the options of %d draws are for the rules to say", len(check.Unchecked))
	} else {
		delete(check.UncheckedParts, PartSeed)
	}
	if err := checkEvents(said.events, record); err != nil {
		return nil, err
	}
	return check, nil
}

// checkEvents checks that each draw on which an event rests is in the record.
func checkEvents(events []*v1.Event, record *MatchRecord) error {
	for _, event := range events {
		ref := event.GetChanceRef()
		if ref == nil {
			continue
		}
		isThere := slices.ContainsFunc(record.Drawn, func(drawn Drawn) bool {
			return drawn.Stream == ref.GetStream() && drawn.N == ref.GetN()
		})
		if !isThere {
			return unverified("the record lacks the draw %d/%d, on which event %d rests", ref.GetStream(), ref.GetN(), event.GetSeq())
		}
	}
	return nil
}

// checkMatch checks that the record is of the match that was published.
func checkMatch(published *v1.MatchConfig, reveal *v1.DiceReveal, record *MatchRecord) error {
	return firstOf(
		same("the match of the record", published.GetMatchId(), record.Match),
		same("the game of the record", published.GetGame(), record.Game),
		same("the rules of the record", rulesNumber(published), record.Rules),
		same("the content of the record", published.GetRules().GetContentHash(), record.Content),
		same("the group of the record", reveal.GetGroupId(), record.Group),
		same("the commitment of the record", published.GetDice().GetCommitment(), record.Commitment),
		same("the server seed of the record", reveal.GetServerSeed(), record.ServerSeed),
		same("the entropies of the record", reveal.GetEntropies(), record.Entropies),
	)
}

// boundSeed returns the seed, as far as anybody is bound to it.
func boundSeed(published *v1.MatchConfig, state *v1.MatchState, record *MatchRecord) ([]byte, error) {
	reveal := state.GetReveal()
	if published.GetDice().GetOrigin() == v1.SeedOrigin_SEED_ORIGIN_CHOSEN {
		return reveal.GetSeed(), same("the seed of the record", reveal.GetSeed(), record.Seed)
	}
	terms := dice.Terms{
		ID:           record.ID(),
		Game:         published.GetGame(),
		RulesVersion: rulesNumber(published),
		ContentHash:  published.GetRules().GetContentHash(),
		OptionsHash:  published.GetOptionsHash(),
	}
	committed := dice.Commitment(terms, reveal.GetServerSeed())
	if err := same("the commitment", published.GetDice().GetCommitment(), committed); err != nil {
		return nil, err
	}
	for seat, sits := range state.GetSeats() {
		if len(sits.GetEntropyCommitment()) == 0 {
			continue
		}
		place := placeOf(published, seat)
		bound := dice.EntropyCommitment(record.ID(), uint32(place), entropyAt(reveal, place))
		if err := same(fmt.Sprintf("the entropy commitment of seat %d", seat), sits.GetEntropyCommitment(), bound); err != nil {
			return nil, err
		}
	}
	seed := dice.MatchSeed(record.ID(), reveal.GetServerSeed(), reveal.GetEntropies())
	return seed, same("the seed", seed, reveal.GetSeed())
}

// checkEnd checks that the record has the players and the result that the server tells.
func checkEnd(state *v1.MatchState, record *MatchRecord) error {
	players := make([]string, len(state.GetSeats()))
	for seat, sits := range state.GetSeats() {
		players[seat] = sits.GetPlayer()
	}
	told, recorded := []string{}, []string{}
	for _, act := range state.GetRefereeActs() {
		told = append(told, acts[act.GetKind()])
	}
	var corrected []int32
	for _, act := range record.RefereeActs {
		recorded = append(recorded, act.Kind)
		if act.Kind == "corrected" {
			corrected = act.Returns
		}
	}
	result := "result none"
	if record.GivenUp == "" && !record.hasAct("voided") {
		given := state.GetResult()
		result = fmt.Sprintf("result %s rule %s returns %s grade %s", given.GetCode(), given.GetRule(),
			strings.Trim(fmt.Sprint(given.GetReturns()), "[]"), quoted(given.GetGrade()))
	}
	return firstOf(
		same("the names", players, record.Players),
		same("the acts of referees", told, recorded),
		same("the corrected result", state.GetCorrectedReturns(), corrected),
		same("the result", result, record.Result),
	)
}

// drawAgain draws every event again, and looks for gaps in each stream.
func (c *DiceCheck) drawAgain(drawn []Drawn, said *settings) error {
	following := map[uint32]uint32{}
	left := map[uint32][]uint32{}
	for stream, cards := range said.bags {
		for number, id := range cards {
			if id != "" {
				left[stream] = append(left[stream], uint32(number))
			}
		}
	}
	for _, event := range drawn {
		place := fmt.Sprintf("%d/%d", event.Stream, event.N)
		ids, isBag := said.bags[event.Stream]
		// Of a draw from a bag the number is its epoch.
		if len(event.Faces) == 0 && isBag && event.N == 0 {
			card, err := dice.Bag(c.Seed, event.Stream, 0, left[event.Stream])
			if err != nil {
				return unverified("the bag of the draw %s is empty", place)
			}
			left[event.Stream] = slices.DeleteFunc(left[event.Stream], func(other uint32) bool { return other == card })
			if err := same("the draw "+place, ids[card], event.What); err != nil {
				return err
			}
			c.Draws++
			continue
		}
		due := following[event.Stream]
		if len(event.Faces) == 0 {
			c.Unchecked = append(c.Unchecked, event)
		} else if err := c.rollAgain(event, due, said.sides); err != nil {
			return err
		}
		if event.N == due {
			following[event.Stream] = due + 1
		}
	}
	return nil
}

func (c *DiceCheck) rollAgain(event Drawn, due uint32, sides int) error {
	place := fmt.Sprintf("%d/%d", event.Stream, event.N)
	if err := same("the number of the dice "+place, due, event.N); err != nil {
		return err
	}
	faces, err := dice.Roll(c.Seed, event.Stream, event.N, len(event.Faces), sides)
	if err != nil {
		return unverified("the dice %s: %v", place, err)
	}
	c.Rolls++
	return same("the dice "+place, faces, event.Faces)
}

func rulesNumber(published *v1.MatchConfig) string {
	return strconv.FormatUint(uint64(published.GetRules().GetNumber()), 10)
}

// placeOf returns the place of a seat's entropy: in a seed group, its entrant's place.
func placeOf(published *v1.MatchConfig, seat int) int {
	entrants := published.GetDice().GetGroup().GetSeatEntrants()
	if seat < len(entrants) {
		return int(entrants[seat])
	}
	return seat
}

func entropyAt(reveal *v1.DiceReveal, place int) []byte {
	if place < 0 || place >= len(reveal.GetEntropies()) {
		return nil
	}
	return reveal.GetEntropies()[place]
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// quoted returns a JSON string as records write it: in ASCII, and without two blanks together.
func quoted(text string) string {
	var written strings.Builder
	written.WriteByte('"')
	short := map[uint16]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var before uint16
	for _, unit := range utf16.Encode([]rune(text)) {
		switch escaped, isShort := short[unit]; {
		case isShort:
			written.WriteString(escaped)
		case unit < ' ' || unit > '~' || (unit == ' ' && before == ' '):
			fmt.Fprintf(&written, `\u%04x`, unit)
		default:
			written.WriteByte(byte(unit))
		}
		before = unit
	}
	written.WriteByte('"')
	return written.String()
}
