package edgehill

import (
	"context"
	"errors"
	"io"
	"iter"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// whole returns a match with its config and state, which every server sends.
func whole(match *v1.Match, err error) (*v1.Match, error) {
	if err != nil {
		return nil, err
	}
	if match.GetConfig() == nil || match.GetState() == nil {
		return nil, incomplete("the match")
	}
	return match, nil
}

// withMatch returns an answer with a whole match in it.
func withMatch[A interface{ GetMatch() *v1.Match }](answer A, err error) (A, error) {
	if err == nil {
		_, err = whole(answer.GetMatch(), nil)
	}
	if err != nil {
		var none A
		return none, err
	}
	return answer, nil
}

// looked returns a view with its match.
func looked(answer *v1.GetViewResponse, err error) (*v1.GetViewResponse, error) {
	if answer, err = withMatch(answer, err); err != nil {
		return nil, err
	}
	if answer.GetView() == nil {
		return nil, incomplete("the view")
	}
	return answer, nil
}

// updated returns the update of an answer.
func updated(answer interface{ GetUpdate() *v1.SeatUpdate }, err error) (*v1.SeatUpdate, error) {
	if err != nil {
		return nil, err
	}
	if answer.GetUpdate() == nil {
		return nil, incomplete("the update")
	}
	return answer.GetUpdate(), nil
}

// receipt gets the receipt of the observer that a token or key stands for.
func receipt(ctx context.Context, c *connection, token, matchID string) (*v1.Receipt, error) {
	answer, err := call(ctx, c, token, c.matches.GetReceipt, &v1.GetReceiptRequest{MatchId: matchID})
	if err == nil && answer.GetReceipt() == nil {
		err = incomplete("the receipt")
	}
	return answer.GetReceipt(), err
}

// received returns the messages of one stream until its end; an error is the last thing that comes.
func received[R any](stream interface{ Recv() (*R, error) }) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		for {
			message, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(message, err) || err != nil {
				return
			}
		}
	}
}
