package edgehill_test

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
)

var blanksAtEnd = regexp.MustCompile(`(?m) +$`)

// resealed returns the lines of a record up to its result, with a digest of their own: a change by somebody who has no key to
// sign with.
func resealed(text string) string {
	lines := text[:strings.Index(text, "\nend ")+1]
	joined := blanksAtEnd.ReplaceAllString(lines, "")
	joined = strings.ReplaceAll(strings.ReplaceAll(joined, "\n  \\", ""), "\n  ", " ")
	return fmt.Sprintf("%send %x\n", lines, sha256.Sum256([]byte("edgehill/record/2"+joined)))
}
