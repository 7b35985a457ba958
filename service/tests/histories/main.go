// Command histories says of a history of calls whether it can be that of matches, each a log with conditional appends and a table of
// requests, in which every call took effect at one moment between its begin and its end.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// The time that one match may take: thousands of times what it takes where all is well.
const matchTimeout = time.Minute

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: histories FILE")
		os.Exit(2)
	}
	file, err := os.Open(os.Args[1])
	if err == nil {
		defer file.Close()
		err = check(file, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check reads a history, says what it has, and fails unless it can be one.
func check(from io.Reader, to io.Writer) error {
	histories, err := readHistory(from)
	if err != nil {
		return err
	}
	var calls, unanswered, looks, seen int
	var refused []error
	for of, operations := range histories {
		for _, operation := range operations {
			switch read := operation.Input.(line); {
			case read.Kind == "look":
				looks++
				if read.Seen != nil {
					seen++
				}
			case read.Kind == "record":
			case read.End == nil:
				unanswered++
				calls++
			default:
				calls++
			}
		}
		var sequential porcupine.Model
		switch of.name {
		case seats:
			sequential = model(recordOf(operations))
		case spectator:
			sequential = spectators
		default:
			sequential = requests
		}
		result := porcupine.CheckOperationsTimeout(sequential, simplified(operations), matchTimeout)
		if result != porcupine.Ok {
			refused = append(refused, fmt.Errorf("match %s, %s: %s", of.match, of.name, result))
		}
	}
	slices.SortFunc(refused, func(one, other error) int { return strings.Compare(one.Error(), other.Error()) })
	fmt.Fprintf(to, "Porcupine: %d histories of matches and requests, %d calls, %d of them unanswered, %d looks, %d at all events: %d refused\n",
		len(histories), calls, unanswered, looks, seen, len(refused))
	return errors.Join(refused...)
}

func recordOf(operations []porcupine.Operation) *line {
	for _, operation := range operations {
		if read := operation.Input.(line); read.Kind == "record" {
			return &read
		}
	}
	return nil
}
