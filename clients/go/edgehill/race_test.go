//go:build race

package edgehill_test

// What pages are made of is built as this suite is, so that nothing they need is built twice.
func init() { buildFlags += " -race" }
