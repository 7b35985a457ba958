package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.AbortMatchRequest;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.CreateMatchRequest;
import dev.edgehill.v1.CreateMatchResponse;
import dev.edgehill.v1.CreateMatchesRequest;
import dev.edgehill.v1.Game;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.GetGameRequest;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.LimitName;
import dev.edgehill.v1.ListActionDefsRequest;
import dev.edgehill.v1.ListMatchesRequest;
import dev.edgehill.v1.ListMatchesResponse;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchPlan;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.SeekMatchRequest;
import dev.edgehill.v1.WatchMatchRequest;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A server, as one caller has it: an account, by its key, or a caller without a name. {@link #connect} makes one.
 *
 * <p>Each call waits for its answer; {@link #async} has the same calls with futures. Calls that get no answer are repeated
 * with their request ids, as the {@link RetryPolicy} says: they happen once. Every call may throw {@link Refused} if the server
 * refuses it, {@link ConnectFailed} if no server was found, and {@link CallFailed} if it got no answer in time. A thread that is
 * interrupted while it waits gives the call up: it gets {@link CallFailed}, {@code CANCELLED}, and stays interrupted.
 *
 * <p>A method with a {@link Consumer} hands it the builder of its request, in which it sets what the call needs beside the
 * least. Safe for any number of threads.
 */
public final class Client implements AutoCloseable {
    private final AsyncClient async;

    Client(AsyncClient async) {
        this.async = async;
    }

    /**
     * Returns a client of a server: {@code host:port}, {@code http://host:port}, or {@code https://host} for one behind TLS.
     * The first call connects, and throws {@link ConnectFailed} soon if there is no server.
     *
     * @throws InvalidOption for an address that is none
     */
    public static Client connect(String server) {
        return builder(server).build();
    }

    /** Returns a builder of a client that has a key, certificates or another {@link RetryPolicy}. */
    public static ClientBuilder builder(String server) {
        return new ClientBuilder(server);
    }

    /** Returns the same client with calls that return at once. */
    public AsyncClient async() {
        return async;
    }

    /** Returns the bytes that tell this client's requests from others' where there are no accounts. */
    public ByteString clientSecret() {
        return async.clientSecret();
    }

    /**
     * Returns the channel to the server with the client's key in each call, for generated stubs, such as those of a service that
     * only a newer server has. Nothing is repeated there; {@link EdgehillException#of} reads what they throw.
     */
    public Channel channel() {
        return async.channel();
    }

    /** Returns a request id that no other call has, for requests that the caller makes whole ({@link #call}). */
    public String requestId() {
        return async.requestId();
    }

    /**
     * Makes any call that has one request and one answer, of any service, with the client's key; it is repeated as all calls
     * are. A call that changes something needs a request id in its request ({@link #requestId}).
     *
     * @throws IllegalArgumentException for a method that streams
     */
    public <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
        return Futures.await(async.call(method, request));
    }

    /** Returns the calls of those who look after the server, which need an operator's key. */
    public Admin admin() {
        return new Admin(async.admin());
    }

    /** Returns the calls of referees, which need the key of one. */
    public Referee referee() {
        return new Referee(async.referee());
    }

    /** Returns the calls of those who organise competitions, take part in them, or follow them. */
    public Competitions competitions() {
        return new Competitions(async.competitions());
    }

    /** Ends all calls and streams. */
    @Override
    public void close() {
        async.close();
    }

    /** Lists the games that the server plays. */
    public List<GameSummary> games() {
        return Futures.await(async.games());
    }

    /** Gets the static half of a game, without its rules ledger. Keep it. */
    public Game game(String game) {
        return Futures.await(async.game(game));
    }

    /** Gets the static half of a game, as the request says: with its rules ledger, or of a content of before. Keep it. */
    public Game game(String game, Consumer<GetGameRequest.Builder> options) {
        return Futures.await(async.game(game, options));
    }

    /** Lists a game's whole action table: the place of each entry is its id. Keep it. */
    public List<ActionDef> actionDefs(String game) {
        return Futures.await(async.actionDefs(game));
    }

    /** Lists a game's whole action table, as the request says: of a content of before. Keep it. */
    public List<ActionDef> actionDefs(String game, Consumer<ListActionDefsRequest.Builder> options) {
        return Futures.await(async.actionDefs(game, options));
    }

    /** Gets the limits of this server, in the units that {@code LimitName} says; without those that this client does not know. */
    public Map<LimitName, Long> limits() {
        return Futures.await(async.limits());
    }

    /** Gets the public key with which the server signs records. Keep it: the verifiers take it. */
    public ByteString signingKey() {
        return Futures.await(async.signingKey());
    }

    /**
     * Gets all public keys that the server has signed with and still vouches for: that of now, then the last replaced. The
     * verifiers take them in the place of one.
     */
    public List<ByteString> signingKeys() {
        return Futures.await(async.signingKeys());
    }

    /** Makes a match. Keep its config: after the match its dice are verified against it. */
    public CreateMatchResponse create(String game) {
        return Futures.await(async.create(game));
    }

    /** Makes a match on terms of its own. Keep its config: after the match its dice are verified against it. */
    public CreateMatchResponse create(String game, Consumer<CreateMatchRequest.Builder> terms) {
        return Futures.await(async.create(game, terms));
    }

    /** Makes several matches, all of them or none, each as {@link MatchTerms#matchPlan} gives it. They come in order. */
    public List<CreateMatchResponse> createAll(List<MatchPlan> plans) {
        return Futures.await(async.createAll(plans));
    }

    /**
     * Makes several matches, all of them or none, and whole seed groups with them: the matches of each group are those whose
     * plans name its index.
     */
    public List<CreateMatchResponse> createAll(List<MatchPlan> plans, Consumer<CreateMatchesRequest.Builder> options) {
        return Futures.await(async.createAll(plans, options));
    }

    /** Takes a match back before it has begun; for the account that made it. */
    public Match abort(String matchId) {
        return Futures.await(async.abort(matchId));
    }

    /** Takes a match back before it has begun; its creator's token, which {@link #create} gave, lets anybody do so. */
    public Match abort(String matchId, Consumer<AbortMatchRequest.Builder> options) {
        return Futures.await(async.abort(matchId, options));
    }

    /** Takes the first seat that is open, and gives entropy. */
    public Seat join(String matchId) {
        return new Seat(Futures.await(async.join(matchId)));
    }

    /**
     * Takes a seat: the one that is named, the invitation's, or the first that is open.
     *
     * <p>Entropy is made here, after the match's commitment was seen, so that no host can choose the dice. Where seats commit
     * to it (COMMIT_REVEAL), {@link Seat#revealEntropy()} is due once all have joined, and an invitation's seat has to be
     * named. In a seed group an entrant gives the same entropy in all its matches.
     *
     * @throws InvalidOption in the future, if the seat has to be named
     */
    public Seat join(String matchId, Consumer<JoinOptions> given) {
        return new Seat(Futures.await(async.join(matchId, given)));
    }

    /** Returns a seat that was taken before, by its token; throws {@link InvalidOption} for a text that is none. */
    public Seat seat(String matchId, String token) {
        return new Seat(async.seat(matchId, token));
    }

    /** Gets a match's config and state. */
    public Match get(String matchId) {
        return Futures.await(async.get(matchId));
    }

    /** Gets the view of a spectator now. */
    public GetViewResponse view(String matchId) {
        return Futures.await(async.view(matchId));
    }

    /** Gets the view of a spectator, as the request says: at the beginning, or with words. */
    public GetViewResponse view(String matchId, Consumer<GetViewRequest.Builder> options) {
        return Futures.await(async.view(matchId, options));
    }

    /** Gets the server's signed word for all that it has published to spectators: the hash of a {@link Transcript}. */
    public Receipt receipt(String matchId) {
        return Futures.await(async.receipt(matchId));
    }

    /** Gets the record of a match that is finished, whole; of a running one it is the referee's. */
    public ExportedRecord record(String matchId) {
        return Futures.await(async.record(matchId));
    }

    /** Streams a spectator's updates as they come, from the present view on. */
    public Watch watchMatch(String matchId) {
        return async.watchMatch(matchId);
    }

    /** Streams a spectator's updates as they come: after the cursor {@code after_seq}, if the request has one. */
    public Watch watchMatch(String matchId, Consumer<WatchMatchRequest.Builder> options) {
        return async.watchMatch(matchId, options);
    }

    /**
     * Streams how the matches stand in which the client's account has a part, as they change. First come all that are not
     * over; then the response with {@code caught_up}.
     */
    public AccountWatch watchAccount() {
        return async.watchAccount();
    }

    /** Streams how the account's matches stand, beginning with the results since a cursor of before. */
    public AccountWatch watchAccount(String cursor) {
        return async.watchAccount(cursor);
    }

    /** Seeks somebody who wants to play the same game, on its usual terms. */
    public Seek seek(String game) {
        return async.seek(game);
    }

    /**
     * Seeks somebody who wants to play the same. Nothing is asked before the result is waited for. {@link #join} takes the
     * seat that comes of it, by its number and its invitation.
     */
    public Seek seek(String game, Consumer<SeekMatchRequest.Builder> terms) {
        return async.seek(game, terms);
    }

    /** Returns a stream for any number of seats, which are opened with {@link PlaySession#open}. */
    public PlaySession playSeats() {
        return async.playSeats();
    }

    /** Lists matches, newest first; each page is asked for when it is needed. */
    public Stream<Match> matches() {
        return matches(request -> {});
    }

    /** Lists matches that satisfy all that the request says, newest first; each page is asked for when it is needed. */
    public Stream<Match> matches(Consumer<ListMatchesRequest.Builder> query) {
        ListMatchesRequest.Builder request = ListMatchesRequest.newBuilder();
        query.accept(request);
        String first = request.getPageToken();
        return Pages.of(
                token -> Futures.await(async.matches(
                        request.setPageToken(token.isEmpty() ? first : token).build())),
                ListMatchesResponse::getNextPageToken,
                ListMatchesResponse::getMatchesList);
    }
}
