package edgehill

import (
	"fmt"
	"time"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// settings are what the options of a call say; each call has those that its option type admits.
type settings struct {
	requestID string

	scenario    string
	options     []*v1.OptionValue
	rules       *v1.RulesVersion
	entropyMode v1.EntropyMode
	clock       *v1.ClockConfig

	seats          []*v1.SeatConfig
	positionJSON   string
	chosenSeed     []byte
	spectatorDelay *v1.SpectatorDelay
	seedGroup      *v1.SeedGroup
	groupPlace     *v1.GroupPlace
	groups         []*v1.GroupPlan

	seat         *uint32
	wait         time.Duration
	invitation   string
	player       string
	entropy      []byte
	hasEntropy   bool
	creatorToken string
	adjournFor   time.Duration
	reason       string

	response         *v1.ResponseOptions
	expectedSeq      *uint64
	keepDraftActions *uint32
	untilReveal      bool

	includeRules bool
	contentHash  []byte
	atSeq        *uint64
	afterSeq     *uint64
	includeText  bool
	omitEvents   bool
	detail       v1.LegalDetail
	verbs        []string
	refs         []*v1.Ref

	roles       []v1.AccountRole
	isSuspended *bool
	label       string
	scopes      []v1.AccountRole
	expires     *time.Time
	overlap     *time.Duration

	entrantName string
	rating      *int32
	accountID   string
	houseBot    string

	signingKeys [][]byte
	hasKeys     bool
	entropies   map[uint32][]byte
	events      []*v1.Event
	sides       int
	bags        map[uint32][]string
}

// setter is one thing that a caller says.
type setter func(*settings)

func (s setter) set(to *settings) { s(to) }

// gathered returns all that the options of a call say.
func gathered[O interface{ set(*settings) }](options []O) *settings {
	said := &settings{entropyMode: v1.EntropyMode_ENTROPY_MODE_OPEN, detail: v1.LegalDetail_LEGAL_DETAIL_IDS, sides: 6}
	for _, option := range options {
		option.set(said)
	}
	return said
}

// ChangeOption is of every call that changes something, and part of their further options.
type ChangeOption struct{ setter }

// WithRequestID sets an id of one's own, of 1 to 64 bytes, for programs that write down what they are about to do. The same
// call with it happens once. Without it the client makes one.
func WithRequestID(id string) ChangeOption {
	return ChangeOption{func(s *settings) { s.requestID = id }}
}

func (ChangeOption) create()    {}
func (ChangeOption) createAll() {}
func (ChangeOption) join()      {}
func (ChangeOption) seek()      {}
func (ChangeOption) abort()     {}
func (ChangeOption) update()    {}
func (ChangeOption) apply()     {}
func (ChangeOption) undo()      {}
func (ChangeOption) sent()      {}
func (ChangeOption) undoSent()  {}
func (ChangeOption) adjourn()   {}
func (ChangeOption) enrol()     {}
func (ChangeOption) account()   {}
func (ChangeOption) key()       {}
func (ChangeOption) rotate()    {}
func (ChangeOption) act()       {}
func (ChangeOption) replace()   {}

// TextOption asks for words, too.
type TextOption struct{ setter }

// WithIncludeText asks for phrases and events in words, too.
func WithIncludeText() TextOption {
	return TextOption{func(s *settings) { s.includeText = true }}
}

func (TextOption) view()      {}
func (TextOption) watch()     {}
func (TextOption) seatWatch() {}
func (TextOption) open()      {}

// SeatNumberOption is the number of a seat, for [Client.Join] and [Client.Seek].
type SeatNumberOption struct{ setter }

// WithSeat names a seat, from 0: the one to take or to play. Without it, any that is open, or the invitation's.
func WithSeat(number uint32) SeatNumberOption {
	return SeatNumberOption{func(s *settings) { s.seat = &number }}
}

func (SeatNumberOption) join() {}
func (SeatNumberOption) seek() {}

// written returns an option's value as the wire has it: words, whole numbers, truth values.
func written(value any) string { return fmt.Sprint(value) }
