package edgehill

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sync/atomic"
)

// requestIDs is a source of request ids that no other run of a program uses: a random prefix and a counter.
type requestIDs struct {
	prefix string
	count  atomic.Uint64
}

func newRequestIDs() *requestIDs {
	return &requestIDs{prefix: hex.EncodeToString(randomBytes(8))}
}

// next returns the id that a caller has chosen or, without one, an id that was never used.
func (r *requestIDs) next(chosen string) string {
	if chosen != "" {
		return chosen
	}
	return fmt.Sprintf("%s-%d", r.prefix, r.count.Add(1))
}

// randomBytes returns so many bytes from the operating system's source.
func randomBytes(count int) []byte {
	bytes := make([]byte, count)
	_, _ = rand.Read(bytes) // it never fails: crypto/rand ends the program instead
	return bytes
}
