package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;

/**
 * The outcomes that were drawn again from the seed, and are as the record has them.
 *
 * @param seed the seed that everything was drawn from
 * @param rolls number of rolls that are as the seed gives them
 * @param draws number of draws from bags that are as the seed gives them
 * @param unchecked draws whose options only the rules know: choices, and bags that were not named or have been refilled
 * @param uncheckedParts the parts of the record that could not be checked, each with the reason, as in {@link RecordCheck}
 */
public record DiceCheck(
        ByteString seed, int rolls, int draws, List<Drawn> unchecked, Map<RecordPart, String> uncheckedParts) {}
