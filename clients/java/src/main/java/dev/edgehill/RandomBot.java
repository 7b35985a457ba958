package dev.edgehill;

import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.LegalActions;
import java.util.Random;

/** A bot that takes any legal action, each as likely as the others. It may play several seats. */
public final class RandomBot implements Bot {
    private final Random random;

    /** Makes a bot of which every game is another. */
    public RandomBot() {
        random = new Random();
    }

    /** Makes a bot whose choices all follow from a seed. */
    public RandomBot(long seed) {
        random = new Random(seed);
    }

    /** Returns one of the legal actions; throws {@link IllegalArgumentException} if there is none. */
    @Override
    public ActionList choose(PlayedSeat seat, LegalActions legal) {
        return Actions.id(legal.getIds(random.nextInt(legal.getIdsCount())));
    }

    /** Returns true: it goes by the legal actions alone. */
    @Override
    public boolean omitEvents() {
        return true;
    }
}
