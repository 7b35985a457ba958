package dev.edgehill;

import dev.edgehill.v1.MatchResult;
import dev.edgehill.v1.MatchStatus;
import java.util.Optional;

/**
 * The outcome for a bot.
 *
 * @param matchId the match
 * @param seat the bot's seat, from 0
 * @param status the status of the match: finished, or stopped
 * @param result the result; empty if there is none
 * @param actions number of actions that the bot took
 */
public record BotReport(String matchId, int seat, MatchStatus status, Optional<MatchResult> result, int actions) {}
