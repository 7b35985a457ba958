package dice_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"

	"edgehill.dev/dice"
)

// digits are bytes in hexadecimal.
type digits []byte

func (d *digits) UnmarshalJSON(given []byte) error {
	var written *string
	if err := json.Unmarshal(given, &written); err != nil {
		return err
	}
	if written == nil { // entropy that was not given
		*d = make([]byte, 32)
		return nil
	}
	bytes, err := hex.DecodeString(*written)
	*d = bytes
	return err
}

// vector is an entry of any list: its fields are those of docs/dice.md.
type vector struct {
	Seed         digits      `json:"seed"`
	Stream       uint32      `json:"stream"`
	N            uint32      `json:"n"`
	Bytes        digits      `json:"bytes"`
	Salt         digits      `json:"salt"`
	Scenario     string      `json:"scenario"`
	Options      [][2]string `json:"options"`
	Position     string      `json:"position"`
	OptionsHash  digits      `json:"options_hash"`
	ID           string      `json:"id"`
	Game         string      `json:"game"`
	RulesVersion string      `json:"rules_version"`
	ContentHash  digits      `json:"content_hash"`
	ServerSeed   digits      `json:"server_seed"`
	Commitment   digits      `json:"commitment"`
	Seat         uint32      `json:"seat"`
	Entropy      digits      `json:"entropy"`
	Entropies    []digits    `json:"entropies"`
	SeriesSeed   digits      `json:"series_seed"`
	Account      string      `json:"account"`
	Dice         int         `json:"dice"`
	Sides        int         `json:"sides"`
	Faces        []int       `json:"faces"`
	Weights      []uint32    `json:"weights"`
	Index        int         `json:"index"`
	Epoch        uint32      `json:"epoch"`
	Cards        []uint32    `json:"cards"`
	Order        []uint32    `json:"order"`
}

// lists has each list of the vectors: the value that is expected of an entry, and the one that this package derives.
var lists = map[string]func(t *testing.T, v vector) (expected, found any){
	"key_streams": func(t *testing.T, v vector) (any, any) {
		source, err := dice.NewKeyStream(v.Seed, v.Stream, v.N)
		if err != nil {
			t.Fatal(err)
		}
		// In two parts: bytes go on where they were left.
		head := source.Next(len(v.Bytes) / 3)
		return v.Bytes, digits(append(head, source.Next(len(v.Bytes)-len(head))...))
	},
	"options_hashes": func(_ *testing.T, v vector) (any, any) {
		options := make([]dice.Option, len(v.Options))
		for i, pair := range v.Options {
			options[i] = dice.Option{ID: pair[0], Value: pair[1]}
		}
		return v.OptionsHash, digits(dice.OptionsHash(v.Salt, v.Scenario, options, v.Position))
	},
	"commitments": func(_ *testing.T, v vector) (any, any) {
		terms := dice.Terms{
			ID: v.ID, Game: v.Game, RulesVersion: v.RulesVersion, ContentHash: v.ContentHash, OptionsHash: v.OptionsHash,
		}
		return v.Commitment, digits(dice.Commitment(terms, v.ServerSeed))
	},
	"entropy_commitments": func(_ *testing.T, v vector) (any, any) {
		return v.Commitment, digits(dice.EntropyCommitment(v.ID, v.Seat, v.Entropy))
	},
	"seeds": func(_ *testing.T, v vector) (any, any) {
		entropies := make([][]byte, len(v.Entropies))
		for i, entropy := range v.Entropies {
			entropies[i] = entropy
		}
		return v.Seed, digits(dice.MatchSeed(v.ID, v.ServerSeed, entropies))
	},
	"series": func(_ *testing.T, v vector) (any, any) {
		return v.ServerSeed, digits(dice.SeriesSeed(v.SeriesSeed, v.Account, v.N))
	},
	"rolls": func(t *testing.T, v vector) (any, any) {
		faces, err := dice.Roll(v.Seed, v.Stream, v.N, v.Dice, v.Sides)
		if err != nil {
			t.Fatal(err)
		}
		return v.Faces, faces
	},
	"choices": func(t *testing.T, v vector) (any, any) {
		index, err := dice.Choice(v.Seed, v.Stream, v.N, v.Weights)
		if err != nil {
			t.Fatal(err)
		}
		return v.Index, index
	},
	"bags": func(t *testing.T, v vector) (any, any) {
		left, order := append([]uint32{}, v.Cards...), []uint32{}
		for len(left) > 0 {
			card, err := dice.Bag(v.Seed, v.Stream, v.Epoch, left)
			if err != nil {
				t.Fatal(err)
			}
			order = append(order, card)
			for i, other := range left {
				if other == card {
					left = append(left[:i], left[i+1:]...)
					break
				}
			}
		}
		return v.Order, order
	},
}

func TestVectors(t *testing.T) {
	written, err := os.ReadFile("../../../engine/tests/data/dice_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(written, &file); err != nil {
		t.Fatal(err)
	}
	if found := string(file["format"]); found != `"edgehill-dice-vectors/1"` {
		t.Fatalf("a format that no test knows: %s", found)
	}
	delete(file, "format")
	for list, entries := range file {
		t.Run(list, func(t *testing.T) {
			check := lists[list]
			var vectors []vector
			if err := json.Unmarshal(entries, &vectors); err != nil || check == nil || len(vectors) == 0 {
				t.Fatalf("a list that no test knows: %v", err)
			}
			for i, v := range vectors {
				if expected, found := check(t, v); !reflect.DeepEqual(expected, found) {
					t.Errorf("%d: expected %v, found %v", i, expected, found)
				}
			}
		})
	}
	if len(file) != len(lists) {
		t.Errorf("%d lists of %d", len(file), len(lists))
	}
}

func TestOutOfRange(t *testing.T) {
	seed := make([]byte, 32)
	calls := map[string]func() error{
		"no dice":         func() error { _, err := dice.Roll(seed, 0, 0, 0, 6); return err },
		"too many dice":   func() error { _, err := dice.Roll(seed, 0, 0, 129, 6); return err },
		"one side":        func() error { _, err := dice.Roll(seed, 0, 0, 1, 1); return err },
		"too many sides":  func() error { _, err := dice.Roll(seed, 0, 0, 1, 257); return err },
		"a short seed":    func() error { _, err := dice.Roll(seed[1:], 0, 0, 1, 6); return err },
		"no weight":       func() error { _, err := dice.Choice(seed, 0, 0, []uint32{0, 0}); return err },
		"no weights":      func() error { _, err := dice.Choice(seed, 0, 0, nil); return err },
		"too much weight": func() error { _, err := dice.Choice(seed, 0, 0, []uint32{1<<32 - 1, 2}); return err },
		"no seed":         func() error { _, err := dice.Choice(nil, 0, 0, []uint32{1}); return err },
		"an empty bag":    func() error { _, err := dice.Bag(seed, 0, 0, nil); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, dice.ErrOutOfRange) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := dice.Choice(seed, 0, 0, []uint32{1<<32 - 1, 1}); err != nil {
		t.Error(err)
	}
}
