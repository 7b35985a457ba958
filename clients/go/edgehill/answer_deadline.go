package edgehill

import (
	"time"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// answerDeadline is the moment until which a seat may answer its question, by this machine's own clock; zero: nothing is asked of the
// seat, or no clock runs for it.
type answerDeadline time.Time

// deadlineOf returns the deadline that an update tells, which has just come: it says all that there is to know.
func deadlineOf(update *v1.SeatUpdate, now time.Time) answerDeadline {
	left := update.GetTimeLeft().GetLeft()
	if left == nil {
		return answerDeadline{}
	}
	return answerDeadline(now.Add(left.AsDuration()))
}

// left returns the time that is left, at least 0; false if there is none to tell.
func (d answerDeadline) left(now time.Time) (time.Duration, bool) {
	at := time.Time(d)
	if at.IsZero() {
		return 0, false
	}
	return max(0, at.Sub(now)), true
}
