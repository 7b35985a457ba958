package edgehill

import (
	"maps"
	"slices"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// CreateOption says how [Client.Create] makes a match: [TermOption], [MatchOption], [SeedGroupOption], [ChangeOption].
type CreateOption interface {
	set(*settings)
	create()
}

// PlanOption says what a [MatchPlan] is: [TermOption], [MatchOption], [GroupPlaceOption].
type PlanOption interface {
	set(*settings)
	plan()
}

// CreateAllOption says how [Client.CreateAll] makes matches: [GroupsOption], [ChangeOption].
type CreateAllOption interface {
	set(*settings)
	createAll()
}

// TermOption is a term that those who seek the same have in common, and a term of matches that are made.
type TermOption struct{ setter }

func (TermOption) create() {}
func (TermOption) plan()   {}
func (TermOption) seek()   {}

// WithScenario names the scenario by its id; without it, it is the game's first.
func WithScenario(id string) TermOption {
	return TermOption{func(s *settings) { s.scenario = id }}
}

// WithOptions sets options of the scenario by their ids: words, whole numbers, truth values. Those not named have their
// defaults.
func WithOptions(options map[string]any) TermOption {
	return TermOption{func(s *settings) {
		for _, id := range slices.Sorted(maps.Keys(options)) {
			s.options = append(s.options, &v1.OptionValue{Id: id, Value: written(options[id])})
		}
	}}
}

// WithRules names the rules that the caller knows: refused with RULES_CHANGED if the server plays others.
func WithRules(rules *v1.RulesVersion) TermOption {
	return TermOption{func(s *settings) { s.rules = rules }}
}

// WithEntropyMode sets the way in which seats give entropy; without it OPEN.
func WithEntropyMode(mode v1.EntropyMode) TermOption {
	return TermOption{func(s *settings) { s.entropyMode = mode }}
}

// WithClock gives the seats a bank of time, or a limit for each question; without it nobody's time runs out.
func WithClock(clock *v1.ClockConfig) TermOption {
	return TermOption{func(s *settings) { s.clock = clock }}
}

// MatchOption is a term of matches that are made.
type MatchOption struct{ setter }

func (MatchOption) create() {}
func (MatchOption) plan()   {}

// WithSeats names the callers that may take each seat, in order ([OpenSeat], [InvitedSeat], [AccountSeat], [HouseBot]); the
// rest is open.
func WithSeats(seats ...*v1.SeatConfig) MatchOption {
	return MatchOption{func(s *settings) { s.seats = seats }}
}

// WithPositionJSON gives the position that the match begins from, as JSON of the game's own; without it as the scenario says.
func WithPositionJSON(position string) MatchOption {
	return MatchOption{func(s *settings) { s.positionJSON = position }}
}

// WithChosenSeed gives the 32 bytes from which all dice come. Everybody is told, and the match is never rated. It excludes a
// group.
func WithChosenSeed(seed []byte) MatchOption {
	return MatchOption{func(s *settings) { s.chosenSeed = seed }}
}

// WithSpectatorDelay keeps spectators behind the match; without it they see it as it is.
func WithSpectatorDelay(delay *v1.SpectatorDelay) MatchOption {
	return MatchOption{func(s *settings) { s.spectatorDelay = delay }}
}

// SeedGroupOption is the seed group of a single match.
type SeedGroupOption struct{ setter }

func (SeedGroupOption) create() {}

// WithSeedGroup has the match share its dice with others: a group of its own, or one that is there, by its id.
func WithSeedGroup(group *v1.SeedGroup) SeedGroupOption {
	return SeedGroupOption{func(s *settings) { s.seedGroup = group }}
}

// GroupPlaceOption is the place of a planned match in a seed group of the same call.
type GroupPlaceOption struct{ setter }

func (GroupPlaceOption) plan() {}

// WithGroupPlace has a planned match share its dice with others of the call: the group's index in [WithGroups], from 0, and the
// entrant at each seat.
func WithGroupPlace(group uint32, seatEntrants ...uint32) GroupPlaceOption {
	return GroupPlaceOption{func(s *settings) {
		s.groupPlace = &v1.GroupPlace{Group: group, SeatEntrants: seatEntrants}
	}}
}

// GroupsOption has the new seed groups of a call.
type GroupsOption struct{ setter }

func (GroupsOption) createAll() {}

// WithGroups makes a new seed group for each number of entrants; the matches of each are those that name its index.
func WithGroups(entrants ...uint32) GroupsOption {
	return GroupsOption{func(s *settings) {
		for _, number := range entrants {
			s.groups = append(s.groups, &v1.GroupPlan{Entrants: number})
		}
	}}
}

// MatchPlan returns a match for [Client.CreateAll].
func MatchPlan(game string, options ...PlanOption) *v1.MatchPlan {
	said := gathered(options)
	plan := &v1.MatchPlan{
		Game:           game,
		Rules:          said.rules,
		Scenario:       said.scenario,
		Options:        said.options,
		Seats:          said.seats,
		PositionJson:   said.positionJSON,
		EntropyMode:    said.entropyMode,
		Clock:          said.clock,
		SpectatorDelay: said.spectatorDelay,
	}
	if said.groupPlace != nil {
		plan.Seed = &v1.MatchPlan_Group{Group: said.groupPlace}
	} else if said.chosenSeed != nil {
		plan.Seed = &v1.MatchPlan_ChosenSeed{ChosenSeed: said.chosenSeed}
	}
	return plan
}

// OpenSeat returns a seat that is open to anyone.
func OpenSeat() *v1.SeatConfig {
	return &v1.SeatConfig{Kind: v1.SeatKind_SEAT_KIND_OPEN}
}

// InvitedSeat returns a seat for the holder of its invitation.
func InvitedSeat() *v1.SeatConfig {
	return &v1.SeatConfig{Kind: v1.SeatKind_SEAT_KIND_INVITED}
}

// AccountSeat returns a seat for the holder of this account's key, who needs no invitation; on servers that have accounts.
func AccountSeat(accountID string) *v1.SeatConfig {
	return &v1.SeatConfig{Kind: v1.SeatKind_SEAT_KIND_INVITED, AccountId: accountID}
}

// HouseBot returns a seat for one of the game's house bots (Game.house_bots), such as random.
func HouseBot(name string) *v1.SeatConfig {
	return &v1.SeatConfig{Kind: v1.SeatKind_SEAT_KIND_HOUSE_BOT, Bot: name}
}
