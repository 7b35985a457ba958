package edgehill

import (
	"crypto/ed25519"
	"encoding/hex"
	"slices"
	"strings"
)

// knownKeys are the public keys that are trusted, in hexadecimal digits; nil: none was named.
func knownKeys(said *settings) []string {
	if !said.hasKeys {
		return nil
	}
	known := make([]string, len(said.signingKeys))
	for i, key := range said.signingKeys {
		known[i] = hex.EncodeToString(key)
	}
	return known
}

// namesOf returns known keys in words.
func namesOf(known []string) string {
	if len(known) == 0 {
		return "a known key"
	}
	return strings.Join(known, " or ")
}

// smallOrder has the encodings of the points of small order, little end first and without the bit of the sign: with such a key,
// or such a point in a signature, anybody signs anything.
var smallOrder = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

// hasSigned returns true if the holder of a public key has signed a message (Ed25519, RFC 8032).
func hasSigned(key, message, signature []byte) bool {
	if len(key) != ed25519.PublicKeySize || len(signature) != ed25519.SignatureSize {
		return false
	}
	if isOfSmallOrder(key) || isOfSmallOrder(signature[:32]) {
		return false
	}
	return ed25519.Verify(key, message, signature)
}

func isOfSmallOrder(point []byte) bool {
	unsigned := slices.Clone(point)
	unsigned[31] &= 0x7f
	return slices.Contains(smallOrder, hex.EncodeToString(unsigned))
}
