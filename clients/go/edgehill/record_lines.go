package edgehill

import (
	"regexp"
	"strconv"
	"strings"

	"edgehill.dev/dice"
)

var (
	drawnLine     = regexp.MustCompile(`^(dice|draw) (\d+)/(\d+): (.+) \[[0-9a-f]{16}\]$`)
	adjournedLine = regexp.MustCompile(`^(\d+) by (seats|referee) for (\d+)(?: lasted (\d+))?$`)
	refereeLine   = regexp.MustCompile(`^(\d+) (.*?) ?reason ("(?:[^"\\]|\\.)*")$`)
	timeAct       = regexp.MustCompile(`^time ([^ "]+) (-?\d+)$`)
	adjournedAct  = regexp.MustCompile(`^adjourned (\d+)$`)
	correctedAct  = regexp.MustCompile(`^corrected (-?\d+(?: -?\d+)*)$`)
	replacedAct   = regexp.MustCompile(`^replaced ([^ "]+) ("(?:[^"\\]|\\.)*")$`)
)

// readLine reads one line; false for one that is none of a record.
func (r *MatchRecord) readLine(line string, isHeader bool) (bool, error) {
	if r.Result != "" {
		return r.readAfterResult(line), nil
	}
	if found := drawnLine.FindStringSubmatch(line); found != nil {
		return r.readDrawn(found[1], found[2], found[3], found[4]), nil
	}
	if isHeader {
		return r.readHeaderLine(line)
	}
	if strings.HasPrefix(line, "result ") {
		r.Result = line
	}
	return true, nil
}

func (r *MatchRecord) readDrawn(kind, stream, n, outcome string) bool {
	streamNumber, streamErr := strconv.ParseUint(stream, 10, 32)
	count, countErr := strconv.ParseUint(n, 10, 32)
	if streamErr != nil || countErr != nil {
		return false
	}
	event := Drawn{Stream: uint32(streamNumber), N: uint32(count)}
	if kind == "draw" {
		event.What = outcome
	} else {
		for face := range strings.SplitSeq(outcome, " ") {
			number, err := strconv.Atoi(face)
			if err != nil {
				return false
			}
			event.Faces = append(event.Faces, number)
		}
	}
	r.Drawn = append(r.Drawn, event)
	return true
}

func (r *MatchRecord) readHeaderLine(line string) (isRead bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "game":
		r.Game = rest
	case "rules":
		r.Rules = rest
	case "repinned":
		r.Repinned = rest
	case "scenario":
		r.Scenario = rest
	case "dice":
		r.Dice = rest
	case "position":
		r.Position = rest
	case "match":
		r.Match, isRead = unquoted(rest)
		return isRead, nil
	case "group":
		r.Group, isRead = unquoted(rest)
		return isRead, nil
	case "option":
		id, value, _ := strings.Cut(rest, " ")
		r.Options = append(r.Options, dice.Option{ID: id, Value: value})
	case "seat":
		_, name, _ := strings.Cut(rest, " ")
		player, isText := unquoted(name)
		r.Players = append(r.Players, player)
		return isText, nil
	case "content":
		return readHash(&r.Content, rest), nil
	case "commitment":
		return readHash(&r.Commitment, rest), nil
	case "server-seed":
		return readSecret(&r.ServerSeed, rest), nil
	case "seed":
		return readSecret(&r.Seed, rest), nil
	case "salt":
		return readSecret(&r.Salt, rest), nil
	case "entropy":
		return r.readEntropy(line, strings.Split(rest, " "))
	}
	return true, nil
}

func readHash(field *[]byte, digits string) (isRead bool) {
	*field, isRead = bytesOf(digits)
	return isRead
}

// readSecret reads a hash that may be withheld.
func readSecret(field *[]byte, digits string) bool {
	return digits == "withheld" || readHash(field, digits)
}

func (r *MatchRecord) readEntropy(line string, parts []string) (bool, error) {
	place := len(r.Entropies)
	if parts[0] != strconv.Itoa(place) {
		return false, unverified("entropy of place %d was expected, found %q", place, line)
	}
	if len(parts) < 2 {
		return false, nil
	}
	entropy, isRead := bytesOf(parts[1])
	if parts[1] == "absent" {
		entropy, isRead = make([]byte, 32), true
	}
	r.Entropies = append(r.Entropies, entropy)
	if len(parts) == 2 || !isRead {
		return isRead, nil
	}
	if len(parts) != 4 || parts[2] != "committed" {
		return false, nil
	}
	r.EntropyCommitments[place], isRead = bytesOf(parts[3])
	return isRead, nil
}

func (r *MatchRecord) readAfterResult(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "given-up":
		isFirst := r.GivenUp == "" && len(r.Adjournments) == 0 && len(r.RefereeActs) == 0
		r.GivenUp = rest
		return isFirst && r.Result == "result none" && rest != "" && !strings.Contains(rest, " ")
	case "adjourned":
		return r.readAdjournment(adjournedLine.FindStringSubmatch(rest))
	case "referee":
		return r.readRefereeAct(refereeLine.FindStringSubmatch(rest))
	default:
		return false
	}
}

func (r *MatchRecord) readAdjournment(found []string) bool {
	if found == nil {
		return false
	}
	numbers, isRead := numbersOf(found[1], found[3])
	if !isRead {
		return false
	}
	adjournment := AdjournmentLine{Entries: int(numbers[0]), By: found[2], LongestMS: numbers[1]}
	if found[4] != "" {
		lasted, isRead := numbersOf(found[4])
		if !isRead {
			return false
		}
		adjournment.LastedMS = &lasted[0]
	}
	r.Adjournments = append(r.Adjournments, adjournment)
	return true
}

// readRefereeAct reads the line of an act; its words in quotes are JSON.
func (r *MatchRecord) readRefereeAct(found []string) bool {
	if found == nil {
		return false
	}
	numbers, isNumber := numbersOf(found[1])
	reason, isText := unquoted(found[3])
	if !isNumber || !isText {
		return false
	}
	act := RefereeActLine{Entries: int(numbers[0]), Reason: reason}
	if !act.read(found[2]) {
		return false
	}
	r.RefereeActs = append(r.RefereeActs, act)
	return true
}

func (a *RefereeActLine) read(act string) bool {
	if act == "voided" || act == "resumed" {
		a.Kind = act
		return true
	}
	if found := timeAct.FindStringSubmatch(act); found != nil {
		numbers, isRead := numbersOf(found[2])
		if isRead {
			a.Kind, a.Seat, a.AddedMS = "time", found[1], numbers[0]
		}
		return isRead
	}
	if found := adjournedAct.FindStringSubmatch(act); found != nil {
		numbers, isRead := numbersOf(found[1])
		if isRead {
			a.Kind, a.LongestMS = "adjourned", numbers[0]
		}
		return isRead
	}
	if found := correctedAct.FindStringSubmatch(act); found != nil {
		a.Kind = "corrected"
		for number := range strings.SplitSeq(found[1], " ") {
			value, err := strconv.ParseInt(number, 10, 32)
			if err != nil {
				return false
			}
			a.Returns = append(a.Returns, int32(value))
		}
		return true
	}
	if found := replacedAct.FindStringSubmatch(act); found != nil {
		former, isRead := unquoted(found[2])
		a.Kind, a.Seat, a.FormerPlayer = "replaced", found[1], former
		return isRead
	}
	return false
}

// numbersOf returns whole numbers; false if one is none.
func numbersOf(given ...string) ([]int64, bool) {
	numbers := make([]int64, len(given))
	for i, text := range given {
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, false
		}
		numbers[i] = number
	}
	return numbers, true
}
