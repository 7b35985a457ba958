package dev.edgehill;

import dev.edgehill.v1.CreateMatchRequest;
import dev.edgehill.v1.EntropyMode;
import dev.edgehill.v1.MatchPlan;
import dev.edgehill.v1.OptionValue;
import dev.edgehill.v1.SeekMatchRequest;
import java.util.function.Consumer;

/** The terms of matches that are made or sought. */
public final class MatchTerms {
    private MatchTerms() {}

    /** Returns an option of a scenario by its id: a word, a whole number or a truth value. */
    public static OptionValue option(String id, Object value) {
        return OptionValue.newBuilder()
                .setId(id)
                .setValue(String.valueOf(value))
                .build();
    }

    /** Returns a match of a game for {@link Client#createAll}. */
    public static MatchPlan matchPlan(String game) {
        return matchPlan(game, plan -> {});
    }

    /** Returns a match of a game for {@link Client#createAll}, with terms of its own. */
    public static MatchPlan matchPlan(String game, Consumer<MatchPlan.Builder> terms) {
        MatchPlan.Builder plan = MatchPlan.newBuilder().setGame(game).setEntropyMode(EntropyMode.ENTROPY_MODE_OPEN);
        terms.accept(plan);
        return plan.build();
    }

    static CreateMatchRequest.Builder created(String game) {
        return CreateMatchRequest.newBuilder().setGame(game).setEntropyMode(EntropyMode.ENTROPY_MODE_OPEN);
    }

    static SeekMatchRequest.Builder sought(String game) {
        return SeekMatchRequest.newBuilder().setGame(game).setEntropyMode(EntropyMode.ENTROPY_MODE_OPEN);
    }
}
