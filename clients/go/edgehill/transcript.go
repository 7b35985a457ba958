package edgehill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	v1 "edgehill.dev/gen/edgehill/v1"
)

const (
	transcriptFirstLine = "edgehill transcript 1"
	// receiptKind is the name of the thing that a server signs, before the digest.
	receiptKind = "edgehill receipt v1"
)

// Transcript has all that a server has shown to one observer of a match, from event 1 on, and its signed word for it
// (docs/record.md, "Receipts"). Add takes every event as it comes; Hash is then the one of a receipt for the same number.
type Transcript struct {
	matchID string
	seat    *uint32
	seq     uint64
	hash    []byte
	// shown has events without words, and receipts, in the order in which they came.
	shown []proto.Message
}

// NewTranscript begins the transcript of a spectator.
func NewTranscript(matchID string) *Transcript { return newTranscript(matchID, nil) }

// NewSeatTranscript begins the transcript of a seat, by its number from 0.
func NewSeatTranscript(matchID string, seat uint32) *Transcript { return newTranscript(matchID, &seat) }

func newTranscript(matchID string, seat *uint32) *Transcript {
	begun := sha256.Sum256([]byte("edgehill/stream/1\nmatch " + matchID + "\nobserver " + observer(seat) + "\n"))
	return &Transcript{matchID: matchID, seat: seat, hash: begun[:]}
}

// MatchID returns the match's id.
func (t *Transcript) MatchID() string { return t.matchID }

// Seq returns the number of the last event; 0: none.
func (t *Transcript) Seq() uint64 { return t.seq }

// Hash returns the running hash after the last event, 32 bytes.
func (t *Transcript) Hash() []byte { return t.hash }

// Add adds an event; one that is there already is passed over. The error is [ErrSequenceGap] if there is a gap before it.
func (t *Transcript) Add(event *v1.Event) error {
	if event.GetSeq() > 0 && event.GetSeq() <= t.seq {
		return nil
	}
	if event.GetSeq() != t.seq+1 {
		return fmt.Errorf("%w: event %d does not follow number %d", ErrSequenceGap, event.GetSeq(), t.seq)
	}
	bare := withoutWords(event)
	if own := event.GetStreamHash(); len(own) > 0 {
		t.hash = own
	} else {
		written, err := eventBytes(bare)
		if err != nil {
			return unverified("event %d: %v", event.GetSeq(), err)
		}
		next := sha256.Sum256(slices.Concat(t.hash, written))
		t.hash = next[:]
	}
	t.seq = event.GetSeq()
	t.shown = append(t.shown, bare)
	return nil
}

// AddReceipt adds a receipt for all that is there by now, right or wrong. The error is [Unverified] for one of something else.
func (t *Transcript) AddReceipt(receipt *v1.Receipt) error {
	isMine := observer(optionalSeat(receipt.GetObserver())) == observer(t.seat)
	if receipt.GetMatchId() != t.matchID || !isMine || receipt.GetSeq() != t.seq {
		return unverified("the receipt is not for this match, this observer and number %d", t.seq)
	}
	t.shown = append(t.shown, receipt)
	return nil
}

// Text returns the text of the .edt file, which edgehill verify --receipt reads.
func (t *Transcript) Text() string {
	lines := []string{transcriptFirstLine, "match " + t.matchID, "observer " + observer(t.seat)}
	for _, shown := range t.shown {
		switch entry := shown.(type) {
		case *v1.Event:
			written, _ := eventBytes(entry) // Add has written it before
			lines = append(lines, "event "+hex.EncodeToString(written))
		case *v1.Receipt:
			lines = append(lines, fmt.Sprintf("receipt %x %x %x",
				entry.GetStreamHash(), entry.GetSigner(), entry.GetSignature()))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

var seatNumber = regexp.MustCompile(`^\d+$`)

// ReadTranscript reads the text of an .edt file. The error is [Unverified] for a line that is none of a transcript.
func ReadTranscript(text string) (*Transcript, error) {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) < 3 || lines[0] != transcriptFirstLine || !strings.HasPrefix(lines[1], "match ") ||
		!strings.HasPrefix(lines[2], "observer ") {
		return nil, unverified("a transcript begins with %q, its match and its observer", transcriptFirstLine)
	}
	var seat *uint32
	if who := strings.TrimPrefix(lines[2], "observer "); who != "spectator" {
		number, err := strconv.ParseUint(who, 10, 32)
		if err != nil || !seatNumber.MatchString(who) {
			return nil, unverified("the observer: a seat's number or \"spectator\" expected, found %q", who)
		}
		given := uint32(number)
		seat = &given
	}
	read := newTranscript(strings.TrimPrefix(lines[1], "match "), seat)
	for _, line := range lines[3:] {
		if err := read.readLine(line); err != nil {
			return nil, unverified("the line %q is none of a transcript", line[:min(80, len(line))])
		}
	}
	return read, nil
}

func (t *Transcript) readLine(line string) error {
	words := strings.Split(line, " ")
	var parts [][]byte
	for _, digits := range words[1:] {
		part, err := hex.DecodeString(digits)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	switch {
	case words[0] == "event" && len(parts) == 1:
		event := &v1.Event{}
		if err := proto.Unmarshal(parts[0], event); err != nil {
			return err
		}
		event.Seq = t.seq + 1
		return t.Add(event)
	case words[0] == "receipt" && len(parts) == 3:
		t.shown = append(t.shown, &v1.Receipt{
			MatchId:    t.matchID,
			Observer:   &v1.Observer{Seat: t.seat},
			Seq:        t.seq,
			StreamHash: parts[0],
			Signer:     parts[1],
			Signature:  parts[2],
		})
		return nil
	default:
		return unverified("neither an event nor a receipt")
	}
}

// EventRange has numbers of events, from the first to the last.
type EventRange struct {
	// First is the first number.
	First uint64
	// Last is the last number, which is in the range.
	Last uint64
}

// TranscriptCheck is a transcript in which nothing contradicts anything.
type TranscriptCheck struct {
	// Receipts is the number of receipts.
	Receipts int
	// Unproven are events that no receipt proves.
	Unproven []EventRange
	// Signed is true if the holder of a known key has signed all receipts.
	Signed bool
	// Complete is true if a known server has signed for every event.
	Complete bool
}

// VerifyTranscript checks the receipts of a transcript against the events before them. edgehill verify --receipt, which has the
// rules, compares the events with a record.
//
// The error is [Unverified] for the first receipt that is wrong.
func VerifyTranscript(transcript *Transcript, options ...VerifyOption) (*TranscriptCheck, error) {
	said := gathered(options)
	again := newTranscript(transcript.matchID, transcript.seat)
	check := &TranscriptCheck{Signed: said.hasKeys}
	var proven, jump uint64
	for _, shown := range transcript.shown {
		switch entry := shown.(type) {
		case *v1.Event:
			if err := again.Add(entry); err != nil {
				return nil, err
			}
			if len(entry.GetStreamHash()) > 0 {
				jump = again.seq
			}
		case *v1.Receipt:
			if err := checkReceipt(entry, again, said); err != nil {
				return nil, err
			}
			check.Receipts++
			if jump > proven {
				check.Unproven = append(check.Unproven, EventRange{First: proven + 1, Last: jump})
			}
			proven = again.seq
		}
	}
	if proven < again.seq {
		check.Unproven = append(check.Unproven, EventRange{First: proven + 1, Last: again.seq})
	}
	check.Complete = check.Signed && check.Receipts > 0 && len(check.Unproven) == 0
	return check, nil
}

func checkReceipt(receipt *v1.Receipt, events *Transcript, said *settings) error {
	what := fmt.Sprintf("the receipt for number %d", events.seq)
	key := hex.EncodeToString(receipt.GetSigner())
	if !bytes.Equal(receipt.GetStreamHash(), events.hash) {
		return unverified("%s is for other events, or for another order", what)
	}
	if said.hasKeys && !slices.Contains(knownKeys(said), key) {
		return unverified("%s: found the signature of %s", what, key)
	}
	if !hasSigned(receipt.GetSigner(), append([]byte(receiptKind), receiptDigest(receipt)...), receipt.GetSignature()) {
		return unverified("%s is not signed by %s", what, key)
	}
	return nil
}

// receiptDigest returns the digest that a receipt's signature is of.
func receiptDigest(receipt *v1.Receipt) []byte {
	about := fmt.Sprintf("edgehill/receipt/1\nmatch %s\nobserver %s\nseq %d\nstream-hash %x\n",
		receipt.GetMatchId(), observer(optionalSeat(receipt.GetObserver())), receipt.GetSeq(), receipt.GetStreamHash())
	digest := sha256.Sum256([]byte(about))
	return digest[:]
}

func optionalSeat(whose *v1.Observer) *uint32 {
	if whose == nil {
		return nil
	}
	return whose.Seat
}

func observer(seat *uint32) string {
	if seat == nil {
		return "spectator"
	}
	return strconv.FormatUint(uint64(*seat), 10)
}

// eventBytes returns the bytes of an event without its number: fields in the order of theirs, as protobuf's libraries write
// them.
func eventBytes(event *v1.Event) ([]byte, error) {
	bare := shallow(event)
	bare.Seq = 0
	return proto.MarshalOptions{Deterministic: true}.Marshal(bare)
}

func withoutWords(event *v1.Event) *v1.Event {
	bare := proto.CloneOf(event)
	bare.Text = ""
	for _, change := range bare.GetChanges() {
		for _, phrase := range phrasesOf(change) {
			phrase.Text = ""
		}
	}
	return bare
}

func phrasesOf(change *v1.Change) []*v1.Phrase {
	var phrases []*v1.Phrase
	for _, set := range change.GetKnown().GetKnown() {
		phrases = append(phrases, set.GetFacts()...)
	}
	turn := change.GetTurnState()
	if turn.GetPrompt() != nil {
		phrases = append(phrases, turn.GetPrompt())
	}
	phrases = append(phrases, turn.GetWarnings()...)
	for _, owed := range turn.GetEntitlements() {
		if owed.GetWhat() != nil {
			phrases = append(phrases, owed.GetWhat())
		}
	}
	return phrases
}
