//go:build race

package edgehill_test

// Programs of pages are built as this suite is, so that nothing they need is built twice.
func init() { buildFlags += " -race" }
