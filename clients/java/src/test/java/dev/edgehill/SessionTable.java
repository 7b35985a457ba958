package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ActionStructure;
import dev.edgehill.v1.CreateMatchResponse;
import dev.edgehill.v1.Event;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LegalAction;
import dev.edgehill.v1.LegalDetail;
import dev.edgehill.v1.ListLegalActionsResponse;
import dev.edgehill.v1.MatchStatus;
import dev.edgehill.v1.SeatUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;

/** A match for the sessions of clients/conformance: all seats are taken, and every observer follows it. */
final class SessionTable implements AutoCloseable {
    /** An action of a list, in the forms that the sessions name. */
    private static final Map<String, Function<LegalAction, ActionList>> FORMS = Map.of(
            "id", action -> Actions.id(action.getId()),
            "entry", Actions::of,
            "structure", action -> Actions.of(structureOf(action)),
            "notation", action -> Actions.notations(action.getNotation()),
            "line", action -> Actions.line(action.getNotation()));

    private final Client client;
    private final CreateMatchResponse made;
    private final List<Seat> seats = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private final Observer spectator;
    private int decision;

    /** A seat that is to act: its number, that of its last event, and its full list. */
    private record Turn(int seat, long seq, List<LegalAction> actions) {}

    /** Makes a match of the game, and seats everybody. */
    SessionTable(Client client, String game) {
        this.client = client;
        this.made = client.create(game);
        int count = made.getMatch().getState().getSeatsCount();
        for (int number = 0; number < count; number++) {
            String player = "player " + number;
            Seat seat = client.join(matchId(), join -> join.setPlayer(player));
            assertEquals(OptionalInt.of(number), seat.number());
            seats.add(seat);
        }
        for (Seat seat : seats) {
            GetViewResponse start = seat.view(at -> at.setAtSeq(0));
            Watch watch = seat.watchMatch(from -> from.setAfterSeq(0));
            observers.add(new Observer(Optional.of(seat), start, watch, seat::view));
        }
        GetViewResponse start = client.view(matchId(), at -> at.setAtSeq(0));
        Watch watch = client.watchMatch(matchId(), from -> from.setAfterSeq(0));
        this.spectator = new Observer(Optional.empty(), start, watch, () -> client.view(matchId()));
    }

    /** Returns the match, as it was told when it was made. */
    CreateMatchResponse made() {
        return made;
    }

    String matchId() {
        return made.getMatch().getConfig().getMatchId();
    }

    List<Seat> seats() {
        return seats;
    }

    /** Returns the seats of a game for two. */
    Asking.Pair two() {
        assertEquals(2, seats.size());
        return new Asking.Pair(seats.get(0), seats.get(1));
    }

    Observer spectator() {
        return spectator;
    }

    /** Returns those of the seats, and the spectator. */
    List<Observer> everybody() {
        List<Observer> everybody = new ArrayList<>(observers);
        everybody.add(spectator);
        return everybody;
    }

    /** Takes the choice so many times, or to the end of the match; each time in this form. */
    void play(int decisions, String form) {
        Function<LegalAction, ActionList> inForm =
                Optional.ofNullable(FORMS.get(form)).orElseThrow(() -> new AssertionError("there is no form " + form));
        for (int taken = 0; taken < decisions; taken++) {
            Optional<Turn> next = toAct();
            if (next.isEmpty()) {
                return;
            }
            Turn turn = next.get();
            ActionList choice = inForm.apply(
                    turn.actions().get(7 * decision % turn.actions().size()));
            decision += 1;
            Observer observer = observers.get(turn.seat());
            observer.follow(turn.seq());
            SeatUpdate update = seats.get(turn.seat()).apply(choice, call -> {
                call.setResponseOptions(Responses.EVENTS);
                call.getBatchBuilder().setExpectedSeq(turn.seq());
            });
            observer.tracker.fold(update);
            // Drafts come and go: at the end of a match they tell nothing.
            observer.compare(observer.tracker);
        }
    }

    /** Has a seat give up, unless the match is over. */
    void end() {
        toAct().ifPresent(turn -> seats.get(turn.seat()).resign());
    }

    /** Ends what is watched. */
    @Override
    public void close() {
        everybody().forEach(observer -> observer.watch.close());
    }

    /** Returns the full list of a seat: nothing, if it is not to act. */
    static List<LegalAction> legal(Seat seat) {
        return listed(seat).getLegalActions().getActionsList();
    }

    private static ListLegalActionsResponse listed(Seat seat) {
        return seat.legal(list -> list.setDetail(LegalDetail.LEGAL_DETAIL_FULL));
    }

    private static ActionStructure structureOf(LegalAction action) {
        return ActionStructure.newBuilder()
                .setVerb(action.getVerb())
                .addAllRefs(action.getRefsList())
                .build();
    }

    /** Returns the first seat that is to act; empty if the match is over. */
    private Optional<Turn> toAct() {
        if (client.get(matchId()).getState().getStatus() == MatchStatus.MATCH_STATUS_FINISHED) {
            return Optional.empty();
        }
        for (int number = 0; number < seats.size(); number++) {
            ListLegalActionsResponse listed = listed(seats.get(number));
            List<LegalAction> actions = listed.getLegalActions().getActionsList();
            if (!actions.isEmpty()) {
                return Optional.of(new Turn(number, listed.getSeq(), actions));
            }
        }
        throw new AssertionError("nobody is to act");
    }

    /** Somebody who sees a match from its beginning on: a seat, or a spectator. */
    static final class Observer {
        private final Optional<Seat> seat;
        private final ViewTracker tracker;
        private final ViewTracker watched;
        private final List<Event> events = new ArrayList<>();
        private final Watch watch;
        private final Supplier<GetViewResponse> look;

        Observer(Optional<Seat> seat, GetViewResponse start, Watch watch, Supplier<GetViewResponse> look) {
            this.seat = seat;
            this.tracker = new ViewTracker(start);
            this.watched = new ViewTracker(start);
            this.watch = watch;
            this.look = look;
        }

        /** Returns the seat; empty for a spectator. */
        Optional<Seat> seat() {
            return seat;
        }

        /** Returns the player's tracker: it folds the answers of calls, and what others do between them. */
        ViewTracker tracker() {
            return tracker;
        }

        /** Returns a tracker of nothing but what was watched. */
        ViewTracker watched() {
            return watched;
        }

        /** Returns all that was watched, in order. */
        List<Event> events() {
            return events;
        }

        /** Looks at the view. */
        GetViewResponse now() {
            return look.get();
        }

        /** Asserts that a tracker has come to what there is. */
        void compare(ViewTracker followed) {
            GetViewResponse now = now();
            assertEquals(now.getSeq(), followed.seq(), toString());
            assertEquals(Optional.of(now.getView()), followed.view(), toString());
        }

        /** Reads what comes, until the match is over. */
        void followToTheEnd() {
            watch.forEachRemaining(this::take);
        }

        /** Reads what comes, up to an event. */
        private void follow(long seq) {
            while (tracker.seq() < seq) {
                take(watch.next());
            }
        }

        private void take(SeatUpdate update) {
            events.addAll(update.getEventsList());
            tracker.fold(update);
            watched.fold(update);
        }

        @Override
        public String toString() {
            return seat.map(taken -> "seat " + taken.number().orElseThrow()).orElse("spectator");
        }
    }
}
