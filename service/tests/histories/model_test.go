package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// A history of one match, in the words of the lines that it is read from.
type history []string

func (h history) check() error {
	return check(strings.NewReader(strings.Join(h, "\n")), io.Discard)
}

// call is a try of a request of a seat; with end 0 it had no answer.
func call(seat int, request, asks, expected string, begin, end int, answer string) string {
	text := fmt.Sprint(end)
	if end == 0 {
		text = "null"
	}
	return fmt.Sprintf(`{"kind":"call","match":"m","seat":%d,"request":%q,%s,"expected":%s,"begin":%d,"end":%s,"answer":%s}`,
		seat, request, asks, expected, begin, text, answer)
}

func act(action int) string { return fmt.Sprintf(`"action":%d,"resigns":false`, action) }

const (
	undo    = `"action":null,"resigns":false`
	resign  = `"action":null,"resigns":true`
	unknown = `"unknown"`
)

func did(count, seq int) string { return fmt.Sprintf(`{"done":{"count":%d,"seq":%d}}`, count, seq) }

func refused(reason string) string { return fmt.Sprintf(`{"refused":%q}`, reason) }

func looked(observer string, length, begin, end int) string {
	return fmt.Sprintf(`{"kind":"look","match":"m","observer":%q,"length":%d,"begin":%d,"end":%d}`, observer, length, begin, end)
}

// saw is a look at the events themselves, of which these are the digest.
func saw(observer string, length, seen, begin, end int) string {
	return fmt.Sprintf(`{"kind":"look","match":"m","observer":%q,"length":%d,"seen":%d,"begin":%d,"end":%d}`,
		observer, length, seen, begin, end)
}

// made is a try of a request that came to a match; with end 0 it had no answer.
func made(request, match string, begin, end int) string {
	if end == 0 {
		return fmt.Sprintf(`{"kind":"once","request":%q,"came_to":null,"begin":%d,"end":null}`, request, begin)
	}
	return fmt.Sprintf(`{"kind":"once","request":%q,"came_to":%q,"begin":%d,"end":%d}`, request, match, begin, end)
}

func didSeeing(count, seq, seen int) string {
	return fmt.Sprintf(`{"done":{"count":%d,"seq":%d,"seen":%d}}`, count, seq, seen)
}

func record(commits, resigned string) string {
	return fmt.Sprintf(`{"kind":"record","match":"m","commits":%s,"resigned":%s,"begin":1000,"end":1001}`, commits, resigned)
}

// Two seats that play a match to its end.
func played() history {
	return history{
		looked("0", 3, 1, 2),
		call(0, "r1", act(7), "3", 3, 4, did(1, 4)),
		call(0, "r2", undo, "4", 5, 6, did(1, 5)),
		call(0, "r3", act(8), "5", 7, 8, did(1, 6)),
		call(0, "r4", act(9), "6", 9, 10, did(1, 8)),
		looked("spectator", 2, 11, 12),
		call(1, "r1", act(4), "5", 13, 14, did(1, 7)),
		call(0, "r5", act(2), "null", 15, 16, did(1, 11)),
		looked("spectator", 5, 17, 18),
		record(`[[0,[8,9]],[1,[4]],[0,[2]]]`, `[]`),
	}
}

// with puts lines before the record.
func (h history) with(lines ...string) history {
	last := len(h) - 1
	return append(append(append(history{}, h[:last]...), lines...), h[last])
}

// instead puts another line in the place of one.
func (h history) instead(index int, line string) history {
	changed := append(history{}, h...)
	changed[index] = line
	return changed
}

func TestHistoriesThatCanBe(t *testing.T) {
	for name, history := range map[string]history{
		"one call after the other":                    played(),
		"a request again, with its outcome":           played().with(call(0, "r4", act(9), "6", 20, 21, did(1, 11))),
		"a request again, beside the first":           played().with(call(0, "r5", act(2), "null", 15, 17, did(1, 11))),
		"a refusal, of which there is no trace":       played().with(call(0, "r9", act(2), "6", 20, 21, refused("ERROR_REASON_STALE_SEQUENCE"))),
		"the id of a request, with another call":      played().with(call(0, "r4", undo, "6", 20, 21, refused("ERROR_REASON_REQUEST_ID_REUSED"))),
		"a call without an answer, which was none":    played().with(call(0, "r9", act(1), "null", 20, 0, unknown)),
		"a call without an answer, and again":         played().with(call(0, "r5", act(2), "null", 14, 0, unknown)),
		"a call without an answer, which was done":    played().instead(7, call(0, "r5", act(2), "null", 15, 0, unknown)),
		"one that took back, without an answer":       played().instead(2, call(0, "r2", undo, "4", 5, 0, unknown)),
		"looks at once, in either order":              played().with(looked("spectator", 9, 30, 40), looked("spectator", 7, 30, 40)),
		"a match that was made, and again":            {made("r", "m", 1, 0), made("r", "m", 2, 3), made("r", "m", 4, 5), made("s", "n", 4, 5)},
		"the same events, seen by two":                played().with(saw("spectator", 9, 77, 30, 31), saw("spectator", 9, 77, 32, 33)),
		"events of two observers":                     played().with(saw("spectator", 9, 77, 30, 31), saw("0", 11, 78, 32, 33)),
		"drafts that nobody made final, of no record": played()[:3],
		"two that give up, each once": {
			call(0, "r1", resign, "null", 1, 2, did(0, 4)), call(1, "r1", resign, "null", 1, 0, unknown), record(`[]`, `[0,1]`),
		},
	} {
		if err := history.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHistoriesThatCanNotBe(t *testing.T) {
	for name, history := range map[string]history{
		"an acknowledged action that the record lacks":     played().instead(9, record(`[[0,[8,9]],[1,[4]]]`, `[]`)),
		"one that the record has twice":                    played().instead(9, record(`[[0,[8,9]],[1,[4]],[0,[2]],[0,[2]]]`, `[]`)),
		"an action that nobody asked for":                  played().instead(9, record(`[[0,[8,9]],[1,[4]],[0,[3]]]`, `[]`)),
		"commits in another order than they were answered": played().instead(9, record(`[[1,[4]],[0,[8,9]],[0,[2]]]`, `[]`)),
		"a request that was done twice":                    played().with(call(0, "r4", act(9), "6", 20, 21, did(2, 11))),
		"a request that was done, refused":                 played().with(call(0, "r4", act(9), "6", 20, 21, refused("ERROR_REASON_STALE_SEQUENCE"))),
		"the id of a request, taken for another":           played().with(call(0, "r4", act(5), "6", 20, 21, did(1, 11))),
		"two appends on one condition":                     played().instead(4, call(0, "r4", act(9), "5", 9, 10, did(1, 8))),
		"a stale look of a seat":                           played().with(looked("0", 10, 20, 21)),
		"a stale look of a spectator":                      played().with(looked("spectator", 4, 20, 21)),
		"a stale answer":                                   played().with(call(0, "r4", act(9), "6", 20, 21, did(1, 8))),
		"a call that was done before it was made":          played().instead(3, call(0, "r3", act(8), "5", 300, 301, did(1, 12))),
		"one without an answer, done before it was made":   played().instead(7, call(0, "r5", act(2), "null", 2000, 0, unknown)),
		"a match that was made twice":                      {made("r", "m", 1, 2), made("r", "n", 3, 4)},
		"two requests that came to one match":              {made("r", "m", 1, 2), made("s", "m", 3, 4)},
		"other events of the same number":                  played().with(saw("spectator", 9, 77, 30, 31), saw("spectator", 9, 78, 32, 33)),
		"other events than a seat was answered with":       played().with(call(0, "r5", act(2), "null", 15, 17, didSeeing(1, 11, 77)), saw("0", 11, 78, 30, 31)),
		"one that gave up, and nobody knows":               played().with(call(0, "r6", resign, "null", 20, 21, did(0, 11))),
	} {
		if err := history.check(); err == nil {
			t.Errorf("%s: it passes", name)
		}
	}
}

func TestLinesThatCanNotBeRead(t *testing.T) {
	for _, text := range []string{`{`, `{"kind":"other"}`, `{"kind":"call","answer":7}`} {
		if err := (history{text}).check(); err == nil || !strings.HasPrefix(err.Error(), "line 1: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
