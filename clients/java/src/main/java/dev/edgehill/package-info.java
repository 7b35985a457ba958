/**
 * A client of Edgehill: {@link dev.edgehill.Client} makes, joins, watches and reads matches, a {@link dev.edgehill.Seat}
 * plays one, {@link dev.edgehill.BotRunner} has bots play. docs/sdk-java.md is the manual.
 *
 * <p>The messages of the wire are in {@code dev.edgehill.v1}.
 */
package dev.edgehill;
