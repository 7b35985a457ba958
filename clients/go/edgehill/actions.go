package edgehill

import v1 "edgehill.dev/gen/edgehill/v1"

// HasID is an entry of the legal actions (v1.LegalAction) or of the action table (v1.ActionDef).
type HasID interface {
	// GetId returns the action's place in the action table, from 0.
	GetId() uint32
}

// IDs returns actions by their places in the action table, as calls that take actions want them.
func IDs(ids ...uint32) *v1.ActionList {
	return &v1.ActionList{Encoding: &v1.ActionList_Ids_{Ids: &v1.ActionList_Ids{Values: ids}}}
}

// Entries returns actions by entries of the legal actions or of the action table.
func Entries[E HasID](entries ...E) *v1.ActionList {
	ids := make([]uint32, len(entries))
	for i, entry := range entries {
		ids[i] = entry.GetId()
	}
	return IDs(ids...)
}

// Line returns the actions of a line, with semicolons between them.
func Line(line string) *v1.ActionList {
	return &v1.ActionList{Encoding: &v1.ActionList_Line{Line: line}}
}

// Notations returns actions by their notations, one each.
func Notations(notations ...string) *v1.ActionList {
	values := &v1.ActionList_Notations{Values: notations}
	return &v1.ActionList{Encoding: &v1.ActionList_Notations_{Notations: values}}
}

// Structures returns actions by their verbs and references.
func Structures(structures ...*v1.ActionStructure) *v1.ActionList {
	values := &v1.ActionList_Structures{Values: structures}
	return &v1.ActionList{Encoding: &v1.ActionList_Structures_{Structures: values}}
}

// ActionID returns one action, for [Seat.Explain], by its place in the action table.
func ActionID(id uint32) *v1.Action {
	return &v1.Action{Encoding: &v1.Action_Id{Id: id}}
}

// Notation returns one action, for [Seat.Explain], by its notation.
func Notation(notation string) *v1.Action {
	return &v1.Action{Encoding: &v1.Action_Notation{Notation: notation}}
}

// Structure returns one action, for [Seat.Explain], by its verb and references.
func Structure(structure *v1.ActionStructure) *v1.Action {
	return &v1.Action{Encoding: &v1.Action_Structure{Structure: structure}}
}

// batch returns actions to take, as calls and streams send them.
func batch(actions *v1.ActionList, said *settings) *v1.ActionBatch {
	mode := v1.ApplyMode_APPLY_MODE_ATOMIC
	if said.untilReveal {
		mode = v1.ApplyMode_APPLY_MODE_UNTIL_REVEAL
	}
	return &v1.ActionBatch{
		ExpectedSeq: said.expectedSeq, KeepDraftActions: said.keepDraftActions, Actions: actions, Mode: mode,
	}
}
