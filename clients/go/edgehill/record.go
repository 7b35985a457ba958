package edgehill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"edgehill.dev/dice"
)

const (
	recordFirstLine = "edgehill record 2"
	recordDigestTag = "edgehill/record/2"
	// recordKind is the name of the thing that a host signs, before the digest.
	recordKind = "edgehill record v2"
)

// Drawn is a chance event: a roll, or something drawn.
type Drawn struct {
	// Stream is the stream of the seed.
	Stream uint32
	// N is the count within the stream; of a draw from a bag, its epoch.
	N uint32
	// Faces are those of a roll, in the roll's order; empty of a draw.
	Faces []int
	// The outcome of a draw, by its id in the catalogue; empty of a roll.
	What string
}

// RefereeActLine is an act of a referee, which the rules know nothing of.
type RefereeActLine struct {
	// Entries is the number of the record's entries before it.
	Entries int
	// Kind is time, replaced, voided, corrected, adjourned or resumed.
	Kind string
	// Reason is the referee's; it may be empty.
	Reason string
	// Seat is the one whose clock was given time, or whose player was replaced; empty: none.
	Seat string
	// AddedMS has the milliseconds that a clock was given.
	AddedMS int64
	// FormerPlayer is the name of the player who was replaced.
	FormerPlayer string
	// Returns has the return of each seat, instead of the result's.
	Returns []int32
	// LongestMS is the longest time, in milliseconds, for which the match was adjourned.
	LongestMS int64
}

// AdjournmentLine is a time for which the match was adjourned, which the rules know nothing of.
type AdjournmentLine struct {
	// Entries is the number of the record's entries before it.
	Entries int
	// By is seats or referee.
	By string
	// LongestMS is the longest time that it was to last, in milliseconds.
	LongestMS int64
	// LastedMS has the milliseconds that it lasted; nil: it had not ended when the record was made.
	LastedMS *int64
}

// MatchRecord has the header of a record, its chance events and its end (docs/record.md), as far as it is read without the
// rules. Seeds and hashes are empty where the record has none.
type MatchRecord struct {
	// Game is the game's id.
	Game string
	// Rules is the rules version.
	Rules string
	// Content is the hash of the content.
	Content []byte
	// Repinned has the rules version and the content, in hexadecimal, that took it up since; empty where there are none.
	Repinned string
	// Scenario is the scenario's id.
	Scenario string
	// Options are the options, as they are written.
	Options []dice.Option
	// Match is the match's id.
	Match string
	// Players are the players' names, in the order of the seats; empty for those without a name.
	Players []string
	// Position is the position that the match began from, as JSON; empty where it began as its scenario says.
	Position string
	// Dice is the source of outcomes: committed, chosen, scripted, entered, playout.
	Dice string
	// Group is the id of the seed group.
	Group string
	// Commitment is the host's.
	Commitment []byte
	// ServerSeed is the host's seed; also empty while it is withheld.
	ServerSeed []byte
	// Salt is that of the options hash; also empty while it is withheld.
	Salt []byte
	// Seed is that of a match whose seed was chosen.
	Seed []byte
	// Entropies are those of the places; zeros where none was given.
	Entropies [][]byte
	// EntropyCommitments are, by place, those of seats that were bound to their entropy.
	EntropyCommitments map[int][]byte
	// Drawn are the chance events in their order.
	Drawn []Drawn
	// Result is the line of the result; empty where there is none.
	Result string
	// GivenUp is the id of the seat that gave up while the host could not play the match; empty if none did.
	GivenUp string
	// Adjournments are the times for which the match was adjourned, in order: its host's word.
	Adjournments []AdjournmentLine
	// RefereeActs are the acts of referees, in order: its host's word.
	RefereeActs []RefereeActLine
	// Digest is the digest of the text, which its line end has.
	Digest []byte
	// Signer is the public key of the signature; empty where there is none.
	Signer []byte
	// Signature is that of the digest.
	Signature []byte
}

// ID returns the id that commitment and seed were made for: the group or, without one, the match.
func (r *MatchRecord) ID() string {
	if r.Group != "" {
		return r.Group
	}
	return r.Match
}

// OptionsHash returns the hash of scenario, options and position, part of the things that the commitment commits to.
func (r *MatchRecord) OptionsHash() []byte {
	return dice.OptionsHash(r.Salt, r.Scenario, r.Options, r.Position)
}

func (r *MatchRecord) hasAct(kind string) bool {
	return slices.ContainsFunc(r.RefereeActs, func(act RefereeActLine) bool { return act.Kind == kind })
}

var (
	signedLines = regexp.MustCompile(`^signer ([0-9a-f]{64})\nsignature ([0-9a-f]{128})$`)
	endLine     = regexp.MustCompile(`^end [0-9a-f]{64}$`)
	printable   = regexp.MustCompile(`^[ -~]*$`)
)

// ReadRecord reads the text of an .edg file. The error is [Unverified] for a text that is no record, and where its digest is
// another. A signature is read, and not checked: [VerifyRecord] does that.
func ReadRecord(text string) (*MatchRecord, error) {
	lines, err := unwrapped(text)
	if err != nil {
		return nil, err
	}
	if lines[0] != recordFirstLine {
		return nil, unverified("expected %q, the only format that is read here, found %q", recordFirstLine, lines[0])
	}
	record := &MatchRecord{EntropyCommitments: map[int][]byte{}}
	sealed, err := record.readSeal(lines)
	if err != nil {
		return nil, err
	}
	// The entries come after the header, and a seat may be called as a line of it is.
	isHeader := true
	for _, line := range sealed[1:] {
		isHeader = isHeader && !strings.HasPrefix(line, "start [")
		isRead, err := record.readLine(line, isHeader)
		if err != nil {
			return nil, err
		}
		if !isRead {
			return nil, unverified("the line %q is none of a record", line)
		}
	}
	return record, nil
}

// readSeal reads digest and signature; it returns the lines that they are of.
func (r *MatchRecord) readSeal(lines []string) ([]string, error) {
	unsigned := lines
	if signed := signedLines.FindStringSubmatch(strings.Join(lines[max(0, len(lines)-2):], "\n")); signed != nil {
		r.Signer, _ = hex.DecodeString(signed[1])
		r.Signature, _ = hex.DecodeString(signed[2])
		unsigned = lines[:len(lines)-2]
	}
	end := ""
	if len(unsigned) > 0 {
		end = unsigned[len(unsigned)-1]
	}
	if !endLine.MatchString(end) || len(unsigned) < 2 {
		return nil, unverified("a record ends with \"end\" and 64 digits, or with a signature after that; this with %q", end)
	}
	sealed := unsigned[:len(unsigned)-1]
	digest := sha256.Sum256([]byte(recordDigestTag + strings.Join(sealed, "\n") + "\n"))
	r.Digest = digest[:]
	if expected := hex.EncodeToString(r.Digest); end != "end "+expected {
		return nil, unverified("the digest of the text: expected %s, found %s", expected, strings.TrimPrefix(end, "end "))
	}
	return sealed, nil
}

// unwrapped returns the lines of the text, with those that were broken at 100 bytes joined again; at least one.
func unwrapped(text string) ([]string, error) {
	var lines []string
	for place, raw := range strings.Split(strings.TrimRight(text, "\r\n "), "\n") {
		line := strings.TrimRight(raw, "\r ")
		if !printable.MatchString(line) {
			return nil, unverified("line %d has other characters than printable ASCII", place+1)
		}
		switch last := len(lines) - 1; {
		case last >= 0 && strings.HasPrefix(line, `  \`):
			lines[last] += line[3:]
		case last >= 0 && strings.HasPrefix(line, "  "):
			lines[last] += line[1:]
		default:
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// unquoted returns the text of a JSON string; false for anything else.
func unquoted(given string) (string, bool) {
	var text string
	isString := strings.HasPrefix(given, `"`) && json.Unmarshal([]byte(given), &text) == nil
	return text, isString
}

// bytesOf returns the bytes of 64 lower-case hexadecimal digits; false for anything else.
func bytesOf(digits string) ([]byte, bool) {
	if len(digits) != 64 || strings.ToLower(digits) != digits {
		return nil, false
	}
	bytes, err := hex.DecodeString(digits)
	return bytes, err == nil
}
