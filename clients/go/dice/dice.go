// Package dice has Edgehill's dice, from docs/dice.md: derive every outcome, compare, done.
//
// Seeds, entropies and hashes are 32 bytes. Nothing here needs a server.
package dice

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"golang.org/x/crypto/chacha20"
)

// ErrOutOfRange is the error of dice, weights, bags and seeds that no event has.
var ErrOutOfRange = errors.New("dice: out of range")

// Option is an option of a match, as it is written.
type Option struct {
	// ID is the option's id.
	ID string
	// Value is its value, as text.
	Value string
}

// Terms are the terms that a host commits to before anybody sits down.
type Terms struct {
	// ID is that of the match or, where several share a seed, of their group.
	ID string
	// Game is the game's id.
	Game string
	// RulesVersion is the rules version, as it is written.
	RulesVersion string
	// ContentHash is the hash of the content, 32 bytes.
	ContentHash []byte
	// OptionsHash is the hash of scenario, options and position, 32 bytes.
	OptionsHash []byte
}

// OptionsHash returns the hash of the things that a match begins from, part of its commitment. The options are sorted by id;
// position is empty if the match began as its scenario says.
func OptionsHash(salt []byte, scenario string, options []Option, position string) []byte {
	parts := [][]byte{salt, text(scenario), le32(uint32(len(options)))}
	for _, option := range options {
		parts = append(parts, text(option.ID), text(option.Value))
	}
	return hash("edgehill/options/2", append(parts, text(position))...)
}

// Commitment returns the hash by which a host binds itself to its server seed.
func Commitment(terms Terms, serverSeed []byte) []byte {
	return hash("edgehill/commit/1", text(terms.ID), text(terms.Game), text(terms.RulesVersion),
		terms.ContentHash, terms.OptionsHash, serverSeed)
}

// EntropyCommitment returns the hash by which a seat binds itself to its entropy. The seat is its place, from 0.
func EntropyCommitment(id string, seat uint32, entropy []byte) []byte {
	return hash("edgehill/entropy/1", text(id), le32(seat), entropy)
}

// MatchSeed returns the seed that every event is drawn from. There is an entropy for each place, zeros where none was given.
func MatchSeed(id string, serverSeed []byte, entropies [][]byte) []byte {
	parts := append([][]byte{text(id), serverSeed, le32(uint32(len(entropies)))}, entropies...)
	return hash("edgehill/seed/1", parts...)
}

// SeriesSeed returns the server seed of match n, from 0, of an account in a rated series.
func SeriesSeed(series []byte, account string, n uint32) []byte {
	return hash("edgehill/series/1", series, text(account), le32(n))
}

// KeyStream has the bytes that the event at a place takes, from its first one on.
type KeyStream struct {
	cipher *chacha20.Cipher
}

// NewKeyStream begins the bytes of the event at a place. It returns ErrOutOfRange for a seed that is not of 32 bytes.
func NewKeyStream(seed []byte, stream, n uint32) (*KeyStream, error) {
	nonce := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(make([]byte, 4, 12), stream), n)
	cipher, err := chacha20.NewUnauthenticatedCipher(seed, nonce)
	if err != nil {
		return nil, fmt.Errorf("%w: a seed has 32 bytes, found %d", ErrOutOfRange, len(seed))
	}
	return &KeyStream{cipher: cipher}, nil
}

// Next returns the next count bytes.
func (k *KeyStream) Next(count int) []byte {
	bytes := make([]byte, count)
	k.cipher.XORKeyStream(bytes, bytes)
	return bytes
}

// Roll returns the faces of so many equal dice at a place, from 1: 1 to 128 dice of 2 to 256 sides.
func Roll(seed []byte, stream, n uint32, dice, sides int) ([]int, error) {
	if dice < 1 || dice > 128 || sides < 2 || sides > 256 {
		return nil, fmt.Errorf("%w: a roll is of 1 to 128 dice of 2 to 256 sides, found %dd%d", ErrOutOfRange, dice, sides)
	}
	source, err := NewKeyStream(seed, stream, n)
	if err != nil {
		return nil, err
	}
	faces := make([]int, 0, dice)
	for len(faces) < dice {
		if drawn := int(source.Next(1)[0]); drawn < 256-256%sides {
			faces = append(faces, drawn%sides+1)
		}
	}
	return faces, nil
}

// Choice returns the place of the chosen weight, from 0: of 1 to 256 weights with a sum of 1 to 2^32.
func Choice(seed []byte, stream, n uint32, weights []uint32) (int, error) {
	var total uint64
	for _, weight := range weights {
		total += uint64(weight)
	}
	if len(weights) > 256 || total == 0 || total > 1<<32 {
		return 0, fmt.Errorf("%w: a choice is of 1 to 256 weights with a sum of 1 to 2^32", ErrOutOfRange)
	}
	source, err := NewKeyStream(seed, stream, n)
	if err != nil {
		return 0, err
	}
	// floor(2^64 / total) * total is 2^64 - 2^64 % total; a sum that divides 2^64 drops nothing.
	_, dropped := bits.Div64(1%total, 0, total)
	drawn := binary.LittleEndian.Uint64(source.Next(8))
	for dropped > 0 && drawn >= -dropped {
		drawn = binary.LittleEndian.Uint64(source.Next(8))
	}
	point, reached, place := drawn%total, uint64(0), 0
	for i, weight := range weights {
		reached += uint64(weight)
		if reached > point {
			place = i
			break
		}
	}
	return place, nil
}

// Bag returns the card that is drawn from a bag, by its number. It returns ErrOutOfRange for an empty bag.
func Bag(seed []byte, stream, epoch uint32, cards []uint32) (uint32, error) {
	if len(cards) == 0 {
		return 0, fmt.Errorf("%w: the bag is empty", ErrOutOfRange)
	}
	var first uint32
	var least string
	for i, card := range cards {
		rank := string(hash("edgehill/bag/1", seed, le32(stream), le32(epoch), le32(card))[:16])
		if i == 0 || rank < least || (rank == least && card < first) {
			first, least = card, rank
		}
	}
	return first, nil
}

func hash(tag string, parts ...[]byte) []byte {
	hasher := sha256.New()
	hasher.Write([]byte(tag))
	for _, part := range parts {
		hasher.Write(part)
	}
	return hasher.Sum(nil)
}

func text(value string) []byte {
	return append(le32(uint32(len(value))), value...)
}

func le32(value uint32) []byte {
	return binary.LittleEndian.AppendUint32(nil, value)
}
