package edgehill_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"edgehill.dev/edgehill"
	v1 "edgehill.dev/gen/edgehill/v1"
)

// nobody is the id of no match.
const nobody = "00000000-0000-0000-0000-000000000000"

// parameters are those that the sessions of clients/conformance have.
type parameters struct {
	Name      string   `json:"name"`
	Unknown   string   `json:"unknown"`
	Game      string   `json:"game"`
	Forms     []string `json:"forms"`
	Decisions int      `json:"decisions"`
	Messages  int      `json:"messages"`
}

// session is one of them that runs.
type session struct {
	parameters
	t       *testing.T
	client  *edgehill.Client
	address string
	options []edgehill.ConnectOption
}

var sessions = map[string]func(session){
	"catalogue":  session.catalogue,
	"forms":      session.forms,
	"refusals":   session.refusals,
	"undo":       session.undo,
	"batch":      session.batch,
	"reveal":     session.reveal,
	"redaction":  session.redaction,
	"repetition": session.repetition,
	"cut":        session.cut,
	"receipts":   session.receipts,
}

// The sessions of clients/conformance, on the server that EDGEHILL_SERVER names, with the key in EDGEHILL_KEY, or on the one that
// the suite starts, which needs no key.
func TestSessions(t *testing.T) {
	t.Parallel()
	on := session{address: os.Getenv("EDGEHILL_SERVER")}
	if on.address == "" {
		on.client, on.address = sharedClient(t), sharedAddress
	} else {
		if key := os.Getenv("EDGEHILL_KEY"); key != "" {
			on.options = append(on.options, edgehill.WithKey(key))
		}
		on.client = connect(t, on.address, on.options...)
	}
	var listed []json.RawMessage
	vectors(t, "sessions.json", "edgehill-sessions/1", map[string]any{"sessions": &listed})
	for _, entry := range listed {
		one := on
		// A parameter that nobody reads would be asked for in vain.
		reader := json.NewDecoder(bytes.NewReader(entry))
		reader.DisallowUnknownFields()
		ok(0, reader.Decode(&one.parameters))(t)
		t.Run(one.Name, func(t *testing.T) {
			run := sessions[one.Name]
			if run == nil {
				t.Fatalf("a session that no test knows: %s", one.Name)
			}
			one.t = t
			run(one)
		})
	}
	equal(t, len(listed), len(sessions))
}

// table returns a match of the session's game, with everybody in their seats.
func (s session) table() *table {
	s.t.Helper()
	return seated(s.t, s.client, s.Game)
}

// legal returns the full list of a seat.
func (s session) legal(seat *edgehill.Seat) []*v1.LegalAction {
	s.t.Helper()
	listed := ok(seat.Legal(s.t.Context(), edgehill.WithDetail(v1.LegalDetail_LEGAL_DETAIL_FULL)))(s.t)
	return listed.LegalActions.Actions
}

// choice returns the first two actions of a seat that has to choose.
func (s session) choice(seat *edgehill.Seat) (first, second *v1.LegalAction) {
	s.t.Helper()
	actions := s.legal(seat)
	if len(actions) < 2 {
		s.t.Fatalf("two actions were expected: %v", actions)
	}
	return actions[0], actions[1]
}

// refused expects a refusal with its reason, the name of that, and the status that vectors have for it, and returns it.
func (s session) refused(reason v1.ErrorReason, err error) *edgehill.Refused {
	s.t.Helper()
	found := refused(s.t, reason, err)
	name := strings.TrimPrefix(reason.String(), "ERROR_REASON_")
	equal(s.t, found.ReasonName(), name)
	for _, vector := range readErrorVectors(s.t).reasons {
		if vector.Reason == name {
			equal(s.t, found.Code(), vector.Code)
			equal(s.t, status.Code(err), vector.Code)
			return found
		}
	}
	s.t.Fatalf("%s is in no vector", name)
	return nil
}

// sameActions asserts that two lists are the same.
func (s session) sameActions(found, expected []*v1.LegalAction) {
	s.t.Helper()
	sameMessage(s.t, &v1.LegalActions{Actions: found}, &v1.LegalActions{Actions: expected})
}

// took asserts that an answer says how many actions were taken.
func (s session) took(answer *v1.SeatUpdate, actions uint32) {
	s.t.Helper()
	equal(s.t, answer.GetApplyResult().GetActions(), actions)
}

// draft returns the actions that a seat has taken and may take back.
func (s session) draft(seat *edgehill.Seat) []uint32 {
	s.t.Helper()
	return append([]uint32{}, ok(seat.View(s.t.Context()))(s.t).View.Draft...)
}

func (s session) catalogue() {
	t, ctx := s.t, s.t.Context()
	games := ok(s.client.Games(ctx))(t)
	if len(games) == 0 {
		t.Fatal("there is no game")
	}
	for _, summary := range games {
		game := ok(s.client.Game(ctx, summary.Id))(t)
		sameMessage(t, game.Summary, summary)
		defs := ok(s.client.ActionDefs(ctx, summary.Id))(t)
		equal(t, len(defs), int(game.ActionCount))
		for place, def := range defs {
			equal(t, int(def.Id), place)
		}
	}
	s.refused(v1.ErrorReason_ERROR_REASON_UNKNOWN_GAME, errorOf(s.client.Game(ctx, s.Unknown)))
}

func (s session) forms() {
	key := edgehill.WithSigningKeys(ok(s.client.SigningKey(s.t.Context()))(s.t))
	if len(s.Forms) == 0 || s.Decisions == 0 {
		s.t.Fatal("there is nothing to take")
	}
	for _, game := range ok(s.client.Games(s.t.Context()))(s.t) {
		for _, form := range s.Forms {
			s.t.Run(game.Id+" "+form, func(t *testing.T) {
				ctx := t.Context()
				table := seated(t, s.client, game.Id)
				table.play(s.Decisions, form)
				table.end()
				table.followToTheEnd()

				record := ok(s.client.Record(ctx, table.matchID()))(t)
				equal(t, record.Complete, true)
				unchecked := ok(edgehill.VerifyRecord(record.Text, key))(t).Unchecked
				equal(t, len(unchecked), 2)
				entropies := map[uint32][]byte{}
				for number, seat := range table.seats {
					equal(t, len(seat.Entropy()), 32)
					entropies[uint32(number)] = seat.Entropy()
				}
				state := ok(s.client.Get(ctx, table.matchID()))(t).State
				dice := ok(edgehill.VerifyDice(table.made.Match.Config, state, record.Text,
					edgehill.WithEntropies(entropies), edgehill.WithEvents(table.spectator.events...), key))(t)
				for _, open := range []map[edgehill.RecordPart]string{unchecked, dice.UncheckedParts} {
					if open[edgehill.PartRules] == "" {
						t.Fatal("without the rules they are not checked")
					}
					for part := range open {
						if part != edgehill.PartRules && part != edgehill.PartSeed {
							t.Fatalf("open: %s", part)
						}
					}
				}
			})
		}
	}
}

func (s session) refusals() {
	t, ctx := s.t, s.t.Context()
	table := s.table()
	north, _ := table.two()
	before := ok(north.View(ctx))(t)
	card, second := s.choice(north)
	refused := func(reason v1.ErrorReason, err error) *edgehill.Refused {
		t.Helper()
		found, now := s.refused(reason, err), ok(north.View(ctx))(t)
		equal(t, now.Seq, before.Seq)
		sameMessage(t, now.View, before.View)
		return found
	}
	refused(v1.ErrorReason_ERROR_REASON_UNKNOWN_MATCH, errorOf(s.client.Get(ctx, nobody)))
	stranger := ok(s.client.Seat(table.matchID(), strings.Repeat("nobody", 8)))(t)
	refused(v1.ErrorReason_ERROR_REASON_BAD_TOKEN, errorOf(stranger.Apply(ctx, edgehill.Entries(card))))
	both := errorOf(north.Apply(ctx, edgehill.Entries(card, second)))
	illegal := refused(v1.ErrorReason_ERROR_REASON_ILLEGAL_ACTION, both)
	index, isNamed := illegal.Index()
	equal(t, []any{index, isNamed}, []any{1, true})
	if len(illegal.RuleViolations()) == 0 || illegal.RuleViolations()[0].Rule == "" {
		t.Fatalf("no rule is named: %v", illegal)
	}
	ahead := edgehill.WithExpectedSeq(before.Seq + 1)
	refused(v1.ErrorReason_ERROR_REASON_CURSOR_AHEAD, errorOf(north.Apply(ctx, edgehill.Entries(card), ahead)))
	refused(v1.ErrorReason_ERROR_REASON_NOTHING_TO_UNDO, errorOf(north.Undo(ctx)))
}

func (s session) undo() {
	t, ctx := s.t, s.t.Context()
	north, _ := s.table().two()
	before, actions := ok(north.View(ctx))(t), s.legal(north)
	action, _ := s.choice(north)
	taken := ok(north.Apply(ctx, edgehill.Entries(action)))(t)
	if taken.Seq <= before.Seq {
		t.Fatalf("the number has not grown: %d", taken.Seq)
	}
	equal(t, s.draft(north), []uint32{action.Id})
	undone := ok(north.Undo(ctx, edgehill.WithExpectedSeq(taken.Seq)))(t)
	if undone.Seq <= taken.Seq {
		t.Fatalf("the number has not grown: %d", undone.Seq)
	}
	equal(t, s.draft(north), []uint32{})
	s.sameActions(s.legal(north), actions)
}

func (s session) batch() {
	t, ctx := s.t, s.t.Context()
	north, south := s.table().two()
	action, _ := s.choice(north)
	taken := ok(north.Apply(ctx, edgehill.Notations(action.Notation, "done")))(t)
	s.took(taken, 2)
	equal(t, taken.ToAct, false)
	s.sameActions(s.legal(north), nil)
	s.refused(v1.ErrorReason_ERROR_REASON_NOT_YOUR_TURN, errorOf(north.Apply(ctx, edgehill.Entries(action))))
	s.refused(v1.ErrorReason_ERROR_REASON_COMMITTED, errorOf(north.Undo(ctx)))
	card, _ := s.choice(south)
	for _, def := range ok(s.client.ActionDefs(ctx, s.Game))(t) {
		if def.Notation == "done" {
			s.took(ok(south.Apply(ctx, edgehill.IDs(card.Id, def.Id)))(t), 2)
			return
		}
	}
	t.Fatal("the table lacks done")
}

func (s session) reveal() {
	t, ctx := s.t, s.t.Context()
	table := s.table()
	north, south := table.two()
	before := ok(north.View(ctx))(t)
	action, _ := s.choice(north)
	across := edgehill.Notations(action.Notation, "done", action.Notation)
	s.refused(v1.ErrorReason_ERROR_REASON_LIST_CROSSES_REVEAL, errorOf(north.Apply(ctx, across)))
	now := ok(north.View(ctx))(t)
	equal(t, now.Seq, before.Seq)
	sameMessage(t, now.View, before.View)
	taken := ok(north.Apply(ctx, across, edgehill.WithUntilReveal()))(t)
	s.took(taken, 2)
	equal(t, faces(table.spectator.look()), []uint32{})
	card, _ := s.choice(south)
	s.took(ok(south.Apply(ctx, edgehill.Notations(card.Notation, "done")))(t), 2)
	chosen := cardsIn(t, action, card)
	equal(t, len(chosen), 2)
	for _, shown := range []*v1.GetViewResponse{table.spectator.look(), ok(north.SpectatorView(ctx))(t)} {
		equal(t, faces(shown), chosen)
	}
	if now = ok(north.View(ctx))(t); now.Seq <= taken.Seq {
		t.Fatalf("the number has not grown: %d", now.Seq)
	}
	late := errorOf(north.Apply(ctx, edgehill.Entries(action), edgehill.WithExpectedSeq(taken.Seq)))
	stale := s.refused(v1.ErrorReason_ERROR_REASON_STALE_SEQUENCE, late)
	seq, isNamed := stale.Seq()
	equal(t, []any{seq, isNamed}, []any{now.Seq, true})
}

func (s session) redaction() {
	t, ctx := s.t, s.t.Context()
	table := s.table()
	defs := ok(s.client.ActionDefs(ctx, s.Game))(t)
	var hands [][]uint32
	for _, seat := range table.seats {
		first, _ := s.choice(seat)
		var hand []proto.Message
		for _, action := range s.legal(seat) {
			hand = append(hand, action)
		}
		hands = append(hands, cardsIn(t, hand...))
		ok(seat.Apply(ctx, edgehill.Entries(first)))(t)
		equal(t, s.draft(seat), []uint32{first.Id})
	}
	for _, o := range table.everybody() {
		seen := o.look()
		own := []uint32{}
		for number, hand := range hands {
			shown := pileOf(t, seen, uint32(number))
			equal(t, shown.Count, uint32(len(hand)))
			if o.number != nil && int(*o.number) == number {
				own = hand
			} else {
				equal(t, len(shown.Cards), 0)
			}
		}
		equal(t, faces(seen), own)
	}
	equal(t, len(table.spectator.look().View.Draft), 0)

	for _, seat := range table.seats {
		ok(seat.Apply(ctx, edgehill.Line("done")))(t)
	}
	table.end()
	table.followToTheEnd()
	// The cards that were not played stay in the hands, and nobody else is told them.
	played := faces(table.spectator.look())
	for _, o := range table.everybody() {
		known := played
		if o.number != nil {
			known = slices.Concat(played, hands[*o.number])
		}
		for _, event := range o.events {
			for _, card := range cardsIn(t, told(event, defs)...) {
				if !slices.Contains(known, card) {
					t.Fatalf("%v was told of card %d by event %d", o, card, event.Seq)
				}
			}
		}
	}
}

func (s session) repetition() {
	t, ctx := s.t, s.t.Context()
	// Ids that are new each time: a server with accounts keeps those of a key.
	id := func(of string) edgehill.ChangeOption { return edgehill.WithRequestID(of + rand.Text()) }
	making, joining, taking := id("made "), id("joined "), id("taken ")

	made := ok(s.client.Create(ctx, s.Game, making))(t)
	matchID := made.Match.Config.MatchId
	sameMessage(t, ok(s.client.Create(ctx, s.Game, making))(t), made)
	join := func() *edgehill.Seat {
		entropy := edgehill.WithEntropy(make([]byte, 32))
		return ok(s.client.Join(ctx, matchID, edgehill.WithSeat(0), entropy, joining))(t)
	}
	north := join()
	equal(t, join().Token(), north.Token())
	ok(s.client.Join(ctx, matchID))(t)

	action, other := s.choice(north)
	take := func(action *v1.LegalAction) (*v1.SeatUpdate, error) {
		return north.Apply(ctx, edgehill.Entries(action), edgehill.WithResponse(edgehill.Full()), taking)
	}
	taken := ok(take(action))(t)
	sameMessage(t, ok(take(action))(t), taken)
	equal(t, s.draft(north), []uint32{action.Id})
	s.refused(v1.ErrorReason_ERROR_REASON_REQUEST_ID_REUSED, errorOf(take(other)))
	equal(t, s.draft(north), []uint32{action.Id})
}

func (s session) cut() {
	t := s.t
	table, relay := s.table(), startRelay(t, s.address)
	watcher := connect(t, relay.address(), s.options...)
	stream := pull(t, watcher.WatchMatch(table.matchID(), edgehill.WithAfterSeq(0)).Updates(t.Context()))
	var seen []uint64
	var reached uint64
	updates := 0
	read := func() bool {
		update, err, isThere := stream.next()
		if err != nil {
			t.Fatal(err)
		}
		if !isThere {
			return false
		}
		for _, event := range update.Events {
			seen = append(seen, event.Seq)
		}
		// Whatever came or did not, the update says how far it is: a fault is to fail, not to wait for ever.
		reached = update.Seq
		if updates++; updates%s.Messages == 0 {
			relay.cut()
		}
		return true
	}
	for decision := range s.Decisions {
		before := table.spectator.look().Seq
		if !table.decide(decision, "id") {
			break
		}
		// The watcher is behind, so that something is on its way when the relay breaks.
		for reached < before {
			if !read() {
				t.Fatalf("it has ended at event %d, before %d", reached, before)
			}
		}
	}
	table.end()
	for read() {
	}
	for i, seq := range seen {
		equal(t, seq, uint64(i+1))
	}
	equal(t, uint64(len(seen)), table.spectator.look().Seq)
	if relay.connections() < 2 {
		t.Fatal("no connection was broken")
	}
}

func (s session) receipts() {
	t := s.t
	keys := edgehill.WithSigningKeys(ok(s.client.SigningKeys(t.Context()))(t)...)
	table := s.table()
	table.play(s.Decisions, "id")
	table.end()
	table.followToTheEnd()
	for _, o := range table.everybody() {
		begin := func() *edgehill.Transcript {
			if o.number == nil {
				return edgehill.NewTranscript(o.matchID)
			}
			return edgehill.NewSeatTranscript(o.matchID, *o.number)
		}
		receipt, whole := o.receipt(), begin()
		for _, event := range o.events {
			ok(0, whole.Add(event))(t)
		}
		equal(t, whole.Hash(), receipt.StreamHash)
		ok(0, whole.AddReceipt(receipt))(t)
		check := ok(edgehill.VerifyTranscript(whole, keys))(t)
		equal(t, check, &edgehill.TranscriptCheck{Receipts: 1, Signed: true, Complete: true})

		end := len(o.events) - 1
		for _, missing := range []int{0, end / 2, end} {
			lossy := begin()
			err := firstError(slices.Concat(o.events[:missing], o.events[missing+1:]), lossy.Add)
			if missing < end {
				is(t, err, edgehill.ErrSequenceGap)
			} else {
				ok(0, err)(t)
			}
			says(t, lossy.AddReceipt(receipt), "not for this match, this observer")
		}
	}
}

// firstError does something with each item until it fails.
func firstError[T any](items []T, do func(T) error) error {
	for _, item := range items {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}
