package edgehill_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Cards, as the session of redaction looks for them.

// faces returns the cards whose faces an observer sees, sorted.
func faces(seen *v1.GetViewResponse) []uint32 {
	found := []uint32{}
	for _, pile := range seen.View.GetBoard().GetPiles() {
		found = append(found, pile.Cards...)
	}
	slices.Sort(found)
	return found
}

// pileOf returns the pile of a number, which has to be there.
func pileOf(t testing.TB, seen *v1.GetViewResponse, number uint32) *v1.CardPile {
	t.Helper()
	for _, pile := range seen.View.GetBoard().GetPiles() {
		if pile.Pile == number {
			return pile
		}
	}
	t.Fatalf("there is no pile %d", number)
	return nil
}

// told returns all that an event tells of single things, and the actions that it adds to a draft. Sets of faces are left out: they
// have every card that is unseen, and no place of any.
func told(event *v1.Event, defs []*v1.ActionDef) []proto.Message {
	var messages []proto.Message
	for _, ref := range event.Refs {
		messages = append(messages, ref)
	}
	for _, change := range event.Changes {
		if change.GetKnown() == nil {
			messages = append(messages, change)
		}
		for _, id := range change.GetDraft().GetAdd() {
			messages = append(messages, defs[id])
		}
	}
	return messages
}

// cardsIn returns the cards that messages name, wherever they do it, sorted and each once.
func cardsIn(t testing.TB, messages ...proto.Message) []uint32 {
	t.Helper()
	found := []uint32{}
	for _, message := range messages {
		ok(0, protorange.Range(message.ProtoReflect(), func(path protopath.Values) error {
			at := path.Index(-1)
			if at.Step.Kind() != protopath.FieldAccessStep {
				return nil
			}
			switch at.Step.FieldDescriptor().Name() {
			case "card":
				found = append(found, uint32(at.Value.Uint()))
			case "cards":
				for i := range at.Value.List().Len() {
					found = append(found, uint32(at.Value.List().Get(i).Uint()))
				}
			}
			return nil
		}))(t)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
