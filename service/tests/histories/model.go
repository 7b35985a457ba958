package main

import (
	"maps"
	"slices"
	"strconv"

	"github.com/anishathalye/porcupine"
)

// A match as the model has it: a log with conditional appends, and a table of requests. What rules make of an action it does not know: how
// many events that is for whom, and which action makes those before it final. It takes the former from the answers, and both from the record.
type state struct {
	// What each seat has done and not taken back, in order.
	done map[int][]uint32
	// How much of that is final.
	final map[int]int
	// Number of the commits of the record that have happened.
	commits  int
	resigned []int
	// The number that each observer's sequence is known to have reached.
	reached map[string]uint64
	// The requests that have happened, with what came of them.
	requests map[request]outcome
}

// What came of a request. Of one that was never answered, the count is not known where it is one to take back.
type outcome struct {
	action  int64 // -1: it took back
	resigns bool
	count   uint32
}

const tookBack = -1

func (s state) clone() state {
	return state{
		done: maps.Clone(s.done), final: maps.Clone(s.final), commits: s.commits, resigned: slices.Clone(s.resigned),
		reached: maps.Clone(s.reached), requests: maps.Clone(s.requests),
	}
}

func equal(one, other state) bool {
	return one.commits == other.commits && maps.EqualFunc(one.done, other.done, slices.Equal) && maps.Equal(one.final, other.final) &&
		slices.Equal(one.resigned, other.resigned) && maps.Equal(one.reached, other.reached) && maps.Equal(one.requests, other.requests)
}

// model is that of a match with this record; without one it is not over.
func model(record *line) porcupine.Model {
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any {
			return []any{state{
				done: map[int][]uint32{}, final: map[int]int{}, reached: map[string]uint64{}, requests: map[request]outcome{},
			}}
		},
		Step: func(before, input, _ any) []any {
			var after []any
			for _, next := range step(record, before.(state), input.(line)) {
				after = append(after, next)
			}
			return after
		},
		Equal: func(one, other any) bool { return equal(one.(state), other.(state)) },
	}
	return nondeterministic.ToModel()
}

// spectators is the model of a sequence that only grows. Whoever follows a stream may have seen each of its lengths at any moment since it
// was opened, so that orders are many; but none has a look before one that saw fewer events. The state is the number of looks so far.
var spectators = porcupine.Model{
	Init: func() any { return 0 },
	Step: func(before, input, _ any) (bool, any) {
		looks := before.(int)
		return looks >= input.(line).shorter, looks + 1
	},
}

// requests is the model of one request that makes a match, or takes a seat: what it came to first it comes to ever after. The state is that.
var requests = porcupine.Model{
	Init: func() any { return "" },
	Step: func(before, input, _ any) (bool, any) {
		came := input.(line).CameTo
		if came == nil {
			// Nobody knows: the first answer tells.
			return true, before
		}
		return before == "" || before == *came, *came
	},
}

// step gives the states in which an operation may leave a match; none if it can't be.
func step(record *line, before state, operation line) []state {
	switch operation.Kind {
	case "look":
		return look(before, operation.Observer, operation.Length)
	case "record":
		return end(before, operation)
	}
	known, isKnown := before.requests[operation.request()]
	asked := outcome{action: tookBack, resigns: operation.Resigns}
	if operation.Action != nil {
		asked.action = int64(*operation.Action)
	}
	isSame := isKnown && known.action == asked.action && known.resigns == asked.resigns
	switch {
	case operation.Answer.Refused == "REQUEST_ID_REUSED", operation.Answer.Refused == "ERROR_REASON_REQUEST_ID_REUSED":
		return only(before, isKnown && !isSame)
	case operation.Answer.Refused != "":
		// A refusal leaves no trace, and what was done is never refused.
		return only(before, !isKnown)
	case operation.Answer.Done == nil:
		// Nobody knows: it did not happen, or it did.
		if isKnown {
			return only(before, true)
		}
		return append(happened(record, before, operation, asked), before)
	}
	asked.count = operation.Answer.Done.Count
	seat, seq := strconv.Itoa(operation.Seat), operation.Answer.Done.Seq
	if isKnown {
		if !isSame || known.count != asked.count {
			return nil
		}
		return look(before, seat, seq)
	}
	// The append is conditional: the sequence was as long as expected when it came, so that nobody has seen it longer by then, and nobody is
	// told of it at one that is shorter. Of two on one condition the second comes to what the first has reached.
	if operation.Expected != nil && (*operation.Expected < before.reached[seat] || seq < *operation.Expected) {
		return nil
	}
	var after []state
	for _, next := range happened(record, before, operation, asked) {
		if next.requests[operation.request()].count == asked.count {
			after = append(after, look(next, seat, seq)...)
		}
	}
	return after
}

func only(same state, is bool) []state {
	if is {
		return []state{same}
	}
	return nil
}

// look has an observer see a sequence of this length: it is never shorter than it was.
func look(before state, of string, length uint64) []state {
	if length == before.reached[of] {
		return []state{before}
	}
	if length < before.reached[of] {
		return nil
	}
	after := before.clone()
	after.reached[of] = length
	return []state{after}
}

// happened gives the states in which a request may leave a match that has not seen it.
func happened(record *line, before state, operation line, asked outcome) []state {
	seat, of := operation.Seat, operation.request()
	done := before.done[seat]
	if asked.resigns {
		after := before.clone()
		after.resigned = append(after.resigned, seat)
		after.requests[of] = asked
		return []state{after}
	}
	var after []state
	if asked.action != tookBack {
		draft := before.clone()
		draft.done[seat] = append(slices.Clone(done), uint32(asked.action))
		draft.requests[of] = outcome{action: asked.action, count: 1}
		after = append(after, draft)
		// With it all that the seat has drafted may be final: if the record says so, next.
		if record != nil && before.commits < len(record.Commits) {
			next := record.Commits[before.commits]
			if next.seat == seat && slices.Equal(next.actions, draft.done[seat][before.final[seat]:]) {
				made := draft.clone()
				made.final[seat] = len(made.done[seat])
				made.commits++
				after = append(after, made)
			}
		}
		return after
	}
	for count := 1; count <= len(done)-before.final[seat]; count++ {
		if operation.Answer.Done != nil && uint32(count) != asked.count {
			continue
		}
		took := before.clone()
		took.done[seat] = slices.Clone(done[:len(done)-count])
		took.requests[of] = outcome{action: tookBack, count: uint32(count)}
		after = append(after, took)
	}
	return after
}

// end holds a match against its record: all that was done for good stands there in order, and nothing else.
func end(before state, record line) []state {
	if before.commits != len(record.Commits) {
		return nil
	}
	for seat, done := range before.done {
		if before.final[seat] != len(done) {
			return nil
		}
	}
	resigned, inRecord := slices.Clone(before.resigned), slices.Clone(record.Resigned)
	slices.Sort(resigned)
	slices.Sort(inRecord)
	return only(before, slices.Equal(slices.Compact(resigned), inRecord))
}
