package edgehill

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"edgehill.dev/dice"
)

// RecordPart is a part of a record that a check may leave open.
type RecordPart string

// The parts are called as they are in docs/record.md, "What a check shows".
const (
	// PartRules is all that follows from the rules: actions, digests, the result.
	PartRules RecordPart = "rules"
	// PartSeed is that outcomes and digests are those of the match's seed.
	PartSeed RecordPart = "seed"
	// PartEntropy is that the entropies are those that the seats gave.
	PartEntropy RecordPart = "entropy"
	// PartEnd is that the match ended here, and so.
	PartEnd RecordPart = "end"
	// PartNames is that these were the players.
	PartNames RecordPart = "names"
	// PartHostsWord is all that a host says: id, commitment, adjournments, the acts of referees.
	PartHostsWord RecordPart = "host's word"
)

// RecordCheck is a record in which nothing contradicts anything.
type RecordCheck struct {
	// Record is the record as it was read.
	Record *MatchRecord
	// Unchecked has the parts that could not be checked, each with the reason. Whoever writes a record can write there as they
	// like.
	Unchecked map[RecordPart]string
}

// VerifyOption names what is known of a record's host: [WithSigningKeys].
type VerifyOption interface {
	set(*settings)
	verify()
}

// KeysOption has the keys that are trusted.
type KeysOption struct{ setter }

func (KeysOption) verify()     {}
func (KeysOption) verifyDice() {}

// WithSigningKeys gives the public key of the server that a record or a transcript is said to be of ([Client.SigningKey]), or all
// that the server has signed with ([Client.SigningKeys]): it has to be signed with one of them.
func WithSigningKeys(keys ...[]byte) KeysOption {
	return KeysOption{func(s *settings) { s.signingKeys, s.hasKeys = keys, true }}
}

// VerifyRecord checks the digest of a record, its signature, its commitment and those of the seats, as far as it goes without
// the rules and without knowing how the match was made; edgehill verify has the whole of it.
//
// The error is [Unverified] for the first thing that is wrong. A record that is not wrong is not yet true: see Unchecked.
func VerifyRecord(text string, options ...VerifyOption) (*RecordCheck, error) {
	return verifyRecord(text, gathered(options))
}

func verifyRecord(text string, said *settings) (*RecordCheck, error) {
	record, err := ReadRecord(text)
	if err != nil {
		return nil, err
	}
	if err := checkCommitments(record); err != nil {
		return nil, err
	}
	whose, err := openSignature(record, said)
	if err != nil {
		return nil, err
	}
	unchecked := map[RecordPart]string{
		PartRules: "actions, digests and result are for a replay by the rules, `edgehill verify`",
		PartSeed:  openSeed(record),
	}
	if record.Dice == "committed" {
		if record.ServerSeed == nil {
			unchecked[PartEntropy] = "it is withheld with the seed"
		} else if whose != "" {
			unchecked[PartEntropy] = whose
		}
	}
	if !hasEnded(record) {
		unchecked[PartEnd] = "the match was not over when it was recorded"
	} else if whose != "" {
		unchecked[PartEnd] = whose
	}
	if whose != "" {
		unchecked[PartNames], unchecked[PartHostsWord] = whose, whose
	}
	return &RecordCheck{Record: record, Unchecked: unchecked}, nil
}

func openSeed(record *MatchRecord) string {
	switch {
	case record.Dice != "committed" && record.Dice != "chosen":
		return "there is none: outcomes can be any"
	case record.ServerSeed != nil || record.Seed != nil:
		return "outcomes are drawn again by VerifyDice"
	default:
		return "it is withheld: outcomes and digests can be any"
	}
}

func hasEnded(record *MatchRecord) bool {
	hasResult := record.Result != "" && record.Result != "result none"
	return hasResult || record.GivenUp != "" || record.hasAct("voided")
}

// openSignature returns the reason for which nobody vouches for the record; empty if the holder of a known key does.
func openSignature(record *MatchRecord, said *settings) (string, error) {
	known := knownKeys(said)
	if record.Signature == nil {
		if said.hasKeys {
			return "", unverified("the signature of %s: there is none", namesOf(known))
		}
		return "it is not signed", nil
	}
	key := hex.EncodeToString(record.Signer)
	if said.hasKeys && !slices.Contains(known, key) {
		return "", unverified("the signature of %s: found that of %s", namesOf(known), key)
	}
	if !hasSigned(record.Signer, append([]byte(recordKind), record.Digest...), record.Signature) {
		return "", unverified("the signature: %s has not signed these lines", key)
	}
	if !said.hasKeys {
		return "whose key has signed it is not known", nil
	}
	return "", nil
}

func checkCommitments(record *MatchRecord) error {
	for place := range record.Entropies {
		bound, isBound := record.EntropyCommitments[place]
		if !isBound {
			continue
		}
		derived := dice.EntropyCommitment(record.ID(), uint32(place), record.Entropies[place])
		if err := same(fmt.Sprintf("the entropy commitment of place %d", place), derived, bound); err != nil {
			return err
		}
	}
	if record.ServerSeed == nil {
		return nil
	}
	if record.Group == "" {
		if err := same("the number of entropies", len(record.Players), len(record.Entropies)); err != nil {
			return err
		}
	}
	terms := dice.Terms{
		ID:           record.ID(),
		Game:         record.Game,
		RulesVersion: record.Rules,
		ContentHash:  record.Content,
		OptionsHash:  record.OptionsHash(),
	}
	return same("the commitment", dice.Commitment(terms, record.ServerSeed), record.Commitment)
}

// same returns [Unverified] unless both are the same. Bytes are compared, and shown, as hexadecimal digits.
func same(what string, expected, found any) error {
	if left, right := shown(expected), shown(found); left != right {
		return unverified("%s: expected %s, found %s", what, left, right)
	}
	return nil
}

func shown(value any) string {
	switch given := value.(type) {
	case []byte:
		if len(given) == 0 {
			return "none"
		}
		return hex.EncodeToString(given)
	case [][]byte:
		parts := make([]string, len(given))
		for i, part := range given {
			parts[i] = shown(part)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []string:
		return fmt.Sprintf("%q", given)
	case string:
		return fmt.Sprintf("%q", given)
	default:
		return fmt.Sprint(given)
	}
}
