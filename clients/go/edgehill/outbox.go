package edgehill

import (
	"sync"
	"time"
)

// outbox has the messages that one connection sends, now and later.
type outbox[M any] struct {
	mu     sync.Mutex
	ready  []M
	timers []*time.Timer
	ended  bool
	wake   chan struct{}
	done   chan struct{}
}

func newOutbox[M any]() *outbox[M] {
	return &outbox[M]{wake: make(chan struct{}, 1), done: make(chan struct{})}
}

// put appends messages.
func (o *outbox[M]) put(messages ...M) {
	o.mu.Lock()
	o.ready = append(o.ready, messages...)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default: // it is to wake up already
	}
}

// putLater appends all that there is to send after a time.
func (o *outbox[M]) putLater(wait time.Duration, messages func() []M) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.ended {
		o.timers = append(o.timers, time.AfterFunc(wait, func() { o.put(messages()...) }))
	}
}

// run sends all messages until it is ended, or one is not taken: the receiving side knows why.
func (o *outbox[M]) run(send func(M) error) {
	for {
		for _, message := range o.take() {
			if send(message) != nil {
				return
			}
		}
		select {
		case <-o.wake:
		case <-o.done:
			return
		}
	}
}

func (o *outbox[M]) take() []M {
	o.mu.Lock()
	defer o.mu.Unlock()
	messages := o.ready
	o.ready = nil
	if o.ended {
		return nil
	}
	return messages
}

// end sends nothing of what is left.
func (o *outbox[M]) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return
	}
	o.ended = true
	for _, timer := range o.timers {
		timer.Stop()
	}
	close(o.done)
}
