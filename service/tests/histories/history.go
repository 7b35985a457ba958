package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/anishathalye/porcupine"
)

// A line of a history, as service/tests/durable/history.rs writes it. Moments are nanoseconds on one clock.
type line struct {
	Kind  string `json:"kind"`
	Match string `json:"match"`
	Begin int64  `json:"begin"`
	End   *int64 `json:"end"`

	// Of a call: a try of a request of a seat.
	Seat     int     `json:"seat"`
	ID       string  `json:"request"`
	Action   *uint32 `json:"action"`
	Resigns  bool    `json:"resigns"`
	Expected *uint64 `json:"expected"`
	Answer   answer  `json:"answer"`

	// Of a look at how many events an observer has.
	Observer string  `json:"observer"`
	Length   uint64  `json:"length"`
	Seen     *uint64 `json:"seen"`
	// Number of looks of the same observer that saw fewer events.
	shorter int

	// Of a try of a request that makes a match, or takes a seat: what it came to.
	CameTo *string `json:"came_to"`

	// Of a record: what each seat did for good.
	Commits  []commit `json:"commits"`
	Resigned []int    `json:"resigned"`
}

// The answer to a call: one of three, of which the last is that there was none.
type answer struct {
	Done    *done
	Refused string
}

type done struct {
	Count uint32  `json:"count"`
	Seq   uint64  `json:"seq"`
	Seen  *uint64 `json:"seen"`
}

func (a *answer) UnmarshalJSON(text []byte) error {
	if string(text) == `"unknown"` {
		return nil
	}
	var either struct {
		Done    *done  `json:"done"`
		Refused string `json:"refused"`
	}
	if err := json.Unmarshal(text, &either); err != nil {
		return err
	}
	*a = answer(either)
	return nil
}

// The actions that a seat made final at once.
type commit struct {
	seat    int
	actions []uint32
}

func (c *commit) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.seat, &c.actions})
}

// Those whose operations are looked at together: of a match, or of the tries of one request.
const (
	seats     = "seats"
	spectator = "spectator"
	once      = "once"
)

// Observers of a match; of a request that makes or takes something, its name in the place of the match.
type observer struct {
	match string
	name  string
}

// A request of a seat.
type request struct {
	seat int
	id   string
}

func (l line) request() request { return request{l.Seat, l.ID} }

// contents are the digests of what observers saw, by how many events that was.
type contents map[observer]map[uint64]uint64

// saw notes that an observer saw so many events. A sequence only grows: at one length it is the same, whoever looks, and whenever.
func (c contents) saw(of observer, length uint64, seen *uint64) error {
	if seen == nil {
		return nil
	}
	if c[of] == nil {
		c[of] = map[uint64]uint64{}
	}
	if before, is := c[of][length]; is && before != *seen {
		return fmt.Errorf("match %s, %s: %d events are not those that they were", of.match, of.name, length)
	}
	c[of][length] = *seen
	return nil
}

// ones are the requests that matches and seats were made by.
type ones map[string]string

// cameTo notes what a request came to: nothing else came to the same.
func (o ones) cameTo(request string, came *string) error {
	if came == nil {
		return nil
	}
	if other, is := o[*came]; is && other != request {
		return fmt.Errorf("%s and %s came to the same", other, request)
	}
	o[*came] = request
	return nil
}

// readHistory gives the operations of each match: those of its seats, and apart from them those of its spectators, who change nothing; and
// the tries of each request that makes a match or takes a seat.
func readHistory(from io.Reader) (map[observer][]porcupine.Operation, error) {
	histories := map[observer][]porcupine.Operation{}
	contents, ones := contents{}, ones{}
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, 16<<20)
	for number := 1; scanner.Scan(); number++ {
		var read line
		if err := json.Unmarshal(scanner.Bytes(), &read); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if !slices.Contains([]string{"call", "look", "once", "record"}, read.Kind) {
			return nil, fmt.Errorf("line %d: %q is no kind of line", number, read.Kind)
		}
		of := observer{match: read.Match, name: seats}
		if read.Kind == "look" && read.Observer == spectator {
			of.name = spectator
		}
		if read.Kind == "once" {
			of = observer{match: read.ID, name: once}
		}
		err := contents.saw(observer{read.Match, read.Observer}, read.Length, read.Seen)
		if read.Answer.Done != nil {
			err = contents.saw(observer{read.Match, strconv.Itoa(read.Seat)}, read.Answer.Done.Seq, read.Answer.Done.Seen)
		}
		if err = errors.Join(err, ones.cameTo(read.ID, read.CameTo)); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		end := int64(math.MaxInt64)
		if read.End != nil {
			end = *read.End
		}
		operation := porcupine.Operation{Input: read, Call: read.Begin, Return: end}
		histories[of] = append(histories[of], operation)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	for of, operations := range histories {
		if of.name == spectator {
			rank(operations)
		}
	}
	return histories, nil
}

// simplified leaves out what would only be more to search through. Of the tries of a request that have no answer the first is enough: it may
// happen at any moment at which one of the others may. And it ends with the first try that was answered: from then on it does nothing.
func simplified(operations []porcupine.Operation) []porcupine.Operation {
	begins, ends := map[request]int64{}, map[request]int64{}
	least := func(of map[request]int64, key request, moment int64) {
		if known, is := of[key]; !is || moment < known {
			of[key] = moment
		}
	}
	for _, operation := range operations {
		switch call := operation.Input.(line); {
		case call.Kind != "call":
		case call.End == nil:
			least(begins, call.request(), call.Begin)
		case call.Answer.Done != nil:
			least(ends, call.request(), *call.End)
		}
	}
	var left []porcupine.Operation
	for _, operation := range operations {
		call := operation.Input.(line)
		if call.Kind == "call" && call.End == nil {
			if begins[call.request()] != call.Begin {
				continue
			}
			if end, is := ends[call.request()]; is && end >= call.Begin {
				operation.Return = end
			}
		}
		left = append(left, operation)
	}
	return left
}

// rank tells each look how many saw fewer events.
func rank(operations []porcupine.Operation) {
	lengths := make([]uint64, 0, len(operations))
	for _, operation := range operations {
		lengths = append(lengths, operation.Input.(line).Length)
	}
	slices.Sort(lengths)
	for index := range operations {
		look := operations[index].Input.(line)
		look.shorter, _ = slices.BinarySearch(lengths, look.Length)
		operations[index].Input = look
	}
}
