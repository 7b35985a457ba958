package dev.edgehill;

import com.google.protobuf.ByteString;
import dev.edgehill.v1.AbortMatchRequest;
import dev.edgehill.v1.AbortMatchResponse;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.CatalogServiceGrpc;
import dev.edgehill.v1.CreateMatchRequest;
import dev.edgehill.v1.CreateMatchResponse;
import dev.edgehill.v1.CreateMatchesRequest;
import dev.edgehill.v1.CreateMatchesResponse;
import dev.edgehill.v1.ExportRecordRequest;
import dev.edgehill.v1.ExportRecordResponse;
import dev.edgehill.v1.FormerSigningKey;
import dev.edgehill.v1.Game;
import dev.edgehill.v1.GameSummary;
import dev.edgehill.v1.GetGameRequest;
import dev.edgehill.v1.GetGameResponse;
import dev.edgehill.v1.GetLimitsRequest;
import dev.edgehill.v1.GetMatchRequest;
import dev.edgehill.v1.GetMatchResponse;
import dev.edgehill.v1.GetReceiptRequest;
import dev.edgehill.v1.GetReceiptResponse;
import dev.edgehill.v1.GetSigningKeyRequest;
import dev.edgehill.v1.GetViewRequest;
import dev.edgehill.v1.GetViewResponse;
import dev.edgehill.v1.JoinMatchRequest;
import dev.edgehill.v1.Limit;
import dev.edgehill.v1.LimitName;
import dev.edgehill.v1.ListActionDefsRequest;
import dev.edgehill.v1.ListGamesRequest;
import dev.edgehill.v1.ListMatchesRequest;
import dev.edgehill.v1.ListMatchesResponse;
import dev.edgehill.v1.Match;
import dev.edgehill.v1.MatchPlan;
import dev.edgehill.v1.MatchServiceGrpc;
import dev.edgehill.v1.Receipt;
import dev.edgehill.v1.SeekMatchRequest;
import dev.edgehill.v1.WatchMatchRequest;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A server, as one caller has it: the calls of {@link Client}, each of which returns at once and completes with its answer.
 *
 * <p>A future completes exceptionally with an {@link EdgehillException}: {@link Refused}, {@link CallFailed},
 * {@link ConnectFailed}. Cancelling it gives the call up; nobody knows then whether the server has carried it out. Futures
 * complete on threads of gRPC's, which may be blocked. Streams are those of {@link Client}; {@link ResumedStream#publisher}
 * reads them without waiting. Safe for any number of threads.
 */
public final class AsyncClient implements AutoCloseable {
    private final Connection connection;
    private final Optional<String> key;
    private final ByteString clientSecret;
    private final RequestIds ids = new RequestIds();

    AsyncClient(Connection connection, Optional<String> key, ByteString clientSecret) {
        this.connection = connection;
        this.key = key;
        this.clientSecret = clientSecret;
    }

    /** Returns the bytes that tell this client's requests from others' where there are no accounts. */
    public ByteString clientSecret() {
        return clientSecret;
    }

    /**
     * Returns the channel to the server with the client's key in each call, for generated stubs, such as those of a service that
     * only a newer server has. Nothing is repeated there; {@link EdgehillException#of} reads what they throw.
     */
    public Channel channel() {
        return ClientInterceptors.intercept(
                connection.channel(), MetadataUtils.newAttachHeadersInterceptor(Tokens.headers(key)));
    }

    /** Returns a request id that no other call has, for requests that the caller makes whole ({@link #call}). */
    public String requestId() {
        return ids.orNext("");
    }

    /**
     * Makes any call that has one request and one answer, of any service, with the client's key; it is repeated as all calls
     * are. A call that changes something needs a request id in its request ({@link #requestId}).
     *
     * @throws IllegalArgumentException for a method that streams
     */
    public <Q, R> CompletableFuture<R> call(MethodDescriptor<Q, R> method, Q request) {
        if (method.getType() != MethodDescriptor.MethodType.UNARY) {
            throw new IllegalArgumentException("a call with one answer was expected: " + method.getFullMethodName());
        }
        return connection.call(method, request, key);
    }

    /** Returns the calls of those who look after the server, which need an operator's key. */
    public AsyncAdmin admin() {
        return new AsyncAdmin(connection, key, ids);
    }

    /** Returns the calls of referees, which need the key of one. */
    public AsyncReferee referee() {
        return new AsyncReferee(connection, key, ids);
    }

    /** Returns the calls of those who organise competitions, take part in them, or follow them. */
    public AsyncCompetitions competitions() {
        return new AsyncCompetitions(connection, key, ids);
    }

    /** Ends all calls and streams. */
    @Override
    public void close() {
        connection.close();
    }

    /** Lists the games that the server plays. */
    public CompletableFuture<List<GameSummary>> games() {
        return games("", List.of());
    }

    /** Gets the static half of a game, without its rules ledger. Keep it. */
    public CompletableFuture<Game> game(String game) {
        return game(game, request -> {});
    }

    /** Gets the static half of a game, as the request says: with its rules ledger, or of a content of before. Keep it. */
    public CompletableFuture<Game> game(String game, Consumer<GetGameRequest.Builder> options) {
        GetGameRequest.Builder request = GetGameRequest.newBuilder().setGame(game);
        options.accept(request);
        return Futures.map(call(CatalogServiceGrpc.getGetGameMethod(), request.build()), GetGameResponse::getGame);
    }

    /** Lists a game's whole action table: the place of each entry is its id. Keep it. */
    public CompletableFuture<List<ActionDef>> actionDefs(String game) {
        return actionDefs(game, request -> {});
    }

    /** Lists a game's whole action table, as the request says: of a content of before. Keep it. */
    public CompletableFuture<List<ActionDef>> actionDefs(String game, Consumer<ListActionDefsRequest.Builder> options) {
        ListActionDefsRequest.Builder request =
                ListActionDefsRequest.newBuilder().setGame(game);
        options.accept(request);
        return actionDefs(request.build(), List.of());
    }

    /** Gets the limits of this server, in the units that {@code LimitName} says; without those that this client does not know. */
    public CompletableFuture<Map<LimitName, Long>> limits() {
        return Futures.map(
                call(CatalogServiceGrpc.getGetLimitsMethod(), GetLimitsRequest.getDefaultInstance()), answer -> {
                    Map<LimitName, Long> limits = new EnumMap<>(LimitName.class);
                    for (Limit limit : answer.getLimitsList()) {
                        if (limit.getName() != LimitName.UNRECOGNIZED) {
                            limits.put(limit.getName(), limit.getValue());
                        }
                    }
                    return limits;
                });
    }

    /** Gets the public key with which the server signs records. Keep it: the verifiers take it. */
    public CompletableFuture<ByteString> signingKey() {
        return Futures.map(signingKeys(), keys -> keys.get(0));
    }

    /**
     * Gets all public keys that the server has signed with and still vouches for: that of now, then the last replaced. The
     * verifiers take them in the place of one.
     */
    public CompletableFuture<List<ByteString>> signingKeys() {
        var method = CatalogServiceGrpc.getGetSigningKeyMethod();
        return Futures.map(call(method, GetSigningKeyRequest.getDefaultInstance()), answer -> {
            List<ByteString> keys = new ArrayList<>(List.of(answer.getSigningKey()));
            answer.getFormerSigningKeysList().stream()
                    .map(FormerSigningKey::getSigningKey)
                    .forEach(keys::add);
            return List.copyOf(keys);
        });
    }

    /** Makes a match. Keep its config: after the match its dice are verified against it. */
    public CompletableFuture<CreateMatchResponse> create(String game) {
        return create(game, request -> {});
    }

    /** Makes a match on terms of its own. Keep its config: after the match its dice are verified against it. */
    public CompletableFuture<CreateMatchResponse> create(String game, Consumer<CreateMatchRequest.Builder> terms) {
        CreateMatchRequest.Builder request = MatchTerms.created(game).setClientSecret(clientSecret);
        terms.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return call(MatchServiceGrpc.getCreateMatchMethod(), request.build());
    }

    /** Makes several matches, all of them or none, each as {@link MatchTerms#matchPlan} gives it. They come in order. */
    public CompletableFuture<List<CreateMatchResponse>> createAll(List<MatchPlan> plans) {
        return createAll(plans, request -> {});
    }

    /**
     * Makes several matches, all of them or none, and whole seed groups with them: the matches of each group are those whose
     * plans name its index.
     */
    public CompletableFuture<List<CreateMatchResponse>> createAll(
            List<MatchPlan> plans, Consumer<CreateMatchesRequest.Builder> options) {
        CreateMatchesRequest.Builder request =
                CreateMatchesRequest.newBuilder().setClientSecret(clientSecret).addAllMatches(plans);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(
                call(MatchServiceGrpc.getCreateMatchesMethod(), request.build()),
                CreateMatchesResponse::getCreatedList);
    }

    /** Takes a match back before it has begun; for the account that made it. */
    public CompletableFuture<Match> abort(String matchId) {
        return abort(matchId, request -> {});
    }

    /** Takes a match back before it has begun; its creator's token, which {@link #create} gave, lets anybody do so. */
    public CompletableFuture<Match> abort(String matchId, Consumer<AbortMatchRequest.Builder> options) {
        AbortMatchRequest.Builder request = AbortMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return Futures.map(call(MatchServiceGrpc.getAbortMatchMethod(), request.build()), AbortMatchResponse::getMatch);
    }

    /** Takes the first seat that is open, and gives entropy. */
    public CompletableFuture<AsyncSeat> join(String matchId) {
        return join(matchId, options -> {});
    }

    /**
     * Takes a seat: the one that is named, the invitation's, or the first that is open.
     *
     * <p>Entropy is made here, after the match's commitment was seen, so that no host can choose the dice. Where seats commit
     * to it (COMMIT_REVEAL), {@link AsyncSeat#revealEntropy()} is due once all have joined, and an invitation's seat has to be
     * named. In a seed group an entrant gives the same entropy in all its matches.
     *
     * @throws InvalidOption in the future, if the seat has to be named
     */
    public CompletableFuture<AsyncSeat> join(String matchId, Consumer<JoinOptions> given) {
        JoinOptions options = new JoinOptions();
        given.accept(options);
        return Futures.then(get(matchId), match -> {
            Joining joining = Joining.of(match, options);
            JoinMatchRequest request = joining.request()
                    .setMatchId(matchId)
                    .setClientSecret(clientSecret)
                    .setRequestId(ids.orNext(options.requestId()))
                    .build();
            return Futures.map(
                    call(MatchServiceGrpc.getJoinMatchMethod(), request),
                    joined -> new AsyncSeat(connection, matchId, joined.getSeatToken(), joined, joining.entropy()));
        });
    }

    /** Returns a seat that was taken before, by its token; throws {@link InvalidOption} for a text that is none. */
    public AsyncSeat seat(String matchId, String token) {
        return new AsyncSeat(connection, matchId, token, null, ByteString.EMPTY);
    }

    /** Gets a match's config and state. */
    public CompletableFuture<Match> get(String matchId) {
        GetMatchRequest request =
                GetMatchRequest.newBuilder().setMatchId(matchId).build();
        return Futures.map(call(MatchServiceGrpc.getGetMatchMethod(), request), GetMatchResponse::getMatch);
    }

    /** Lists one page of matches, newest first; {@code next_page_token} of the answer asks for the next one. */
    public CompletableFuture<ListMatchesResponse> matches(ListMatchesRequest request) {
        return call(MatchServiceGrpc.getListMatchesMethod(), request);
    }

    /** Gets the view of a spectator now. */
    public CompletableFuture<GetViewResponse> view(String matchId) {
        return view(matchId, request -> {});
    }

    /** Gets the view of a spectator, as the request says: at the beginning, or with words. */
    public CompletableFuture<GetViewResponse> view(String matchId, Consumer<GetViewRequest.Builder> options) {
        GetViewRequest.Builder request = GetViewRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        return call(MatchServiceGrpc.getGetViewMethod(), request.build());
    }

    /** Gets the server's signed word for all that it has published to spectators: the hash of a {@link Transcript}. */
    public CompletableFuture<Receipt> receipt(String matchId) {
        GetReceiptRequest request =
                GetReceiptRequest.newBuilder().setMatchId(matchId).build();
        return Futures.map(call(MatchServiceGrpc.getGetReceiptMethod(), request), GetReceiptResponse::getReceipt);
    }

    /** Gets the record of a match that is finished, whole; of a running one it is the referee's. */
    public CompletableFuture<ExportedRecord> record(String matchId) {
        ExportRecordRequest request =
                ExportRecordRequest.newBuilder().setMatchId(matchId).build();
        var parts = connection.collect(MatchServiceGrpc.getExportRecordMethod(), request, key);
        return Futures.map(
                parts,
                all -> new ExportedRecord(
                        all.stream().map(ExportRecordResponse::getText).collect(Collectors.joining()),
                        all.stream().anyMatch(ExportRecordResponse::getComplete)));
    }

    /** Streams a spectator's updates as they come, from the present view on. */
    public Watch watchMatch(String matchId) {
        return watchMatch(matchId, request -> {});
    }

    /** Streams a spectator's updates as they come: after the cursor {@code after_seq}, if the request has one. */
    public Watch watchMatch(String matchId, Consumer<WatchMatchRequest.Builder> options) {
        WatchMatchRequest.Builder request = WatchMatchRequest.newBuilder().setMatchId(matchId);
        options.accept(request);
        return new Watch(connection, key, request.build());
    }

    /**
     * Streams how the matches stand in which the client's account has a part, as they change. First come all that are not
     * over; then the response with {@code caught_up}.
     */
    public AccountWatch watchAccount() {
        return watchAccount("");
    }

    /** Streams how the account's matches stand, beginning with the results since a cursor of before. */
    public AccountWatch watchAccount(String cursor) {
        return new AccountWatch(connection, key, cursor);
    }

    /** Seeks somebody who wants to play the same game, on its usual terms. */
    public Seek seek(String game) {
        return seek(game, request -> {});
    }

    /**
     * Seeks somebody who wants to play the same. Nothing is asked before the result is waited for. {@link #join} takes the
     * seat that comes of it, by its number and its invitation.
     */
    public Seek seek(String game, Consumer<SeekMatchRequest.Builder> terms) {
        SeekMatchRequest.Builder request = MatchTerms.sought(game).setClientSecret(clientSecret);
        terms.accept(request);
        request.setRequestId(ids.orNext(request.getRequestId()));
        return new Seek(connection, key, request.build());
    }

    /** Returns a stream for any number of seats, which are opened with {@link PlaySession#open}. */
    public PlaySession playSeats() {
        return new PlaySession(connection, key);
    }

    private CompletableFuture<List<GameSummary>> games(String pageToken, List<GameSummary> before) {
        ListGamesRequest request =
                ListGamesRequest.newBuilder().setPageToken(pageToken).build();
        return Futures.then(call(CatalogServiceGrpc.getListGamesMethod(), request), page -> {
            List<GameSummary> listed = joined(before, page.getGamesList());
            String next = page.getNextPageToken();
            return next.isEmpty() ? CompletableFuture.completedFuture(listed) : games(next, listed);
        });
    }

    private CompletableFuture<List<ActionDef>> actionDefs(ListActionDefsRequest request, List<ActionDef> before) {
        return Futures.then(call(CatalogServiceGrpc.getListActionDefsMethod(), request), page -> {
            List<ActionDef> listed = joined(before, page.getActionDefsList());
            String next = page.getNextPageToken();
            return next.isEmpty()
                    ? CompletableFuture.completedFuture(listed)
                    : actionDefs(request.toBuilder().setPageToken(next).build(), listed);
        });
    }

    private static <T> List<T> joined(List<T> before, List<T> more) {
        List<T> all = new ArrayList<>(before);
        all.addAll(more);
        return List.copyOf(all);
    }
}
