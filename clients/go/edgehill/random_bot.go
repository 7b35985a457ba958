package edgehill

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// RandomBot takes any legal action, each as likely as the others. One may sit at several seats.
type RandomBot struct {
	mu     sync.Mutex
	random *rand.Rand
}

// NewRandomBot returns a bot whose every game is another.
func NewRandomBot() *RandomBot { return NewSeededRandomBot(rand.Uint64()) }

// NewSeededRandomBot returns a bot whose choices all follow from a seed.
func NewSeededRandomBot(seed uint64) *RandomBot {
	return &RandomBot{random: rand.New(rand.NewPCG(seed, 0))}
}

// OmitEvents returns true: the bot goes by the legal actions alone.
func (b *RandomBot) OmitEvents() bool { return true }

// Choose returns one of the legal actions; an error if there is none.
func (b *RandomBot) Choose(_ context.Context, _ BotSeat, legal *v1.LegalActions) (*v1.ActionList, error) {
	ids := legal.GetIds()
	if len(ids) == 0 {
		return nil, errors.New("edgehill: there is no legal action to choose")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return IDs(ids[b.random.IntN(len(ids))]), nil
}
