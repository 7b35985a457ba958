package edgehill_test

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"edgehill.dev/edgehill"
)

// order is the order of the base point.
var order, _ = new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)

// scalar reads a number, little end first.
func scalar(bytes []byte) *big.Int {
	reversed := slices.Clone(bytes)
	slices.Reverse(reversed)
	return new(big.Int).SetBytes(reversed)
}

// signatureOf joins a point and a number.
func signatureOf(point []byte, number *big.Int) []byte {
	written := new(big.Int).Mod(number, order).FillBytes(make([]byte, 32))
	slices.Reverse(written)
	return slices.Concat(point, written)
}

// secretOf returns the number behind the key of a seed.
func secretOf(seed []byte) *big.Int {
	digest := sha512.Sum512(seed)
	digest[0] &= 248
	digest[31] = digest[31]&127 | 64
	return scalar(digest[:32])
}

// A key of small order signs for everybody: each is one for which somebody without any secret has a signature that Ed25519 as it is
// in the library takes, and it is refused here all the same.
func TestKeysOfSmallOrderSignNothing(t *testing.T) {
	seed := make([]byte, ed25519.SeedSize)
	point := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	forged := signatureOf(point, secretOf(seed))
	fooled := 0
	for _, digits := range edgehill.SmallOrder {
		key := ok(hex.DecodeString(digits))(t)
		for n := range 1000 {
			message := fmt.Appendf(nil, "message %d", n)
			if !ed25519.Verify(key, message, forged) {
				continue
			}
			fooled++
			equal(t, edgehill.HasSigned(key, message, forged), false)
			break
		}
	}
	// Two of the list are other encodings of two others, which the library does not take as they are.
	if fooled < 5 {
		t.Fatalf("%d of %d", fooled, len(edgehill.SmallOrder))
	}
}

func TestASignatureOfSmallOrderIsNone(t *testing.T) {
	seed, message := make([]byte, ed25519.SeedSize), []byte("message")
	key := ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey)
	neutral := make([]byte, 32)
	neutral[0] = 1
	challenge := sha512.Sum512(slices.Concat(neutral, key, message))
	loose := signatureOf(neutral, new(big.Int).Mul(scalar(challenge[:]), secretOf(seed)))
	equal(t, ed25519.Verify(key, message, loose), true)
	equal(t, edgehill.HasSigned(key, message, loose), false)

	signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed), message)
	equal(t, edgehill.HasSigned(key, message, signature), true)
	equal(t, edgehill.HasSigned(key[1:], message, signature), false)
	equal(t, edgehill.HasSigned(key, message, nil), false)
}
