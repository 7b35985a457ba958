package dev.edgehill;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The events of a record, each drawn again in its order, with a look for gaps in each stream. */
final class DrawnAgain {
    private final ByteString seed;
    private final int sides;
    private final Map<Long, List<String>> bags;
    private final Map<Long, Long> following = new HashMap<>();
    private final Map<Long, Set<Integer>> left = new HashMap<>();
    private final List<Drawn> unchecked = new ArrayList<>();
    private int rolls;
    private int draws;

    DrawnAgain(ByteString seed, int sides, Map<Long, List<String>> bags) {
        this.seed = seed;
        this.sides = sides;
        this.bags = bags;
        bags.forEach((stream, cards) -> left.put(stream, numbersOf(cards)));
    }

    int rolls() {
        return rolls;
    }

    int draws() {
        return draws;
    }

    List<Drawn> unchecked() {
        return List.copyOf(unchecked);
    }

    void draw(Drawn event) {
        String place = event.stream() + "/" + event.n();
        Set<Integer> cards = left.get(event.stream());
        // Of a draw from a bag the number is its epoch.
        if (!event.isRoll() && cards != null && event.n() == 0) {
            if (cards.isEmpty()) {
                throw new Unverified("the bag of the draw " + place + " is empty");
            }
            int card = Dice.bag(seed, event.stream(), 0, cards);
            cards.remove(card);
            Expected.same("the draw " + place, bags.get(event.stream()).get(card), event.what());
            draws += 1;
            return;
        }
        long due = following.getOrDefault(event.stream(), 0L);
        if (event.isRoll()) {
            Expected.same("the number of the dice " + place, due, event.n());
            if (event.faces().size() > 128) {
                throw new Unverified("the dice " + place + ": a roll has at most 128 dice");
            }
            List<Integer> faces =
                    Dice.roll(seed, event.stream(), event.n(), event.faces().size(), sides);
            Expected.same("the dice " + place, faces, event.faces());
            rolls += 1;
        } else {
            unchecked.add(event);
        }
        if (event.n() == due) {
            following.put(event.stream(), due + 1);
        }
    }

    private static Set<Integer> numbersOf(List<String> cards) {
        Set<Integer> numbers = new TreeSet<>();
        for (int number = 0; number < cards.size(); number++) {
            if (!cards.get(number).isEmpty()) {
                numbers.add(number);
            }
        }
        return numbers;
    }
}
