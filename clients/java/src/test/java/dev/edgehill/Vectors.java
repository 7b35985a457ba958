package dev.edgehill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;

/** A file of vectors, which has to be of one format, and to have the lists that a suite knows and no others. */
final class Vectors {
    private final JsonObject file;

    /** The check of one vector. */
    interface Check {
        void of(JsonObject vector) throws Exception;
    }

    Vectors(String path, String format, String... lists) {
        file = JsonParser.parseString(Checkout.read(path)).getAsJsonObject();
        assertEquals(format, file.get("format").getAsString());
        Set<String> known = new TreeSet<>(List.of(lists));
        known.add("format");
        assertEquals(known, new TreeSet<>(file.keySet()), "lists that this suite does not know");
    }

    JsonArray list(String name) {
        JsonArray list = file.getAsJsonArray(name);
        assertFalse(list.isEmpty());
        return list;
    }

    /** Returns a test for each vector of a list. */
    Stream<DynamicTest> each(String list, Check check) {
        return StreamSupport.stream(list(list).spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .map(vector -> DynamicTest.dynamicTest(nameOf(list, vector), () -> check.of(vector)));
    }

    private static String nameOf(String list, JsonObject vector) {
        for (String field : List.of("name", "game")) {
            if (vector.has(field)) {
                return list + ": " + vector.get(field).getAsString();
            }
        }
        String text = vector.toString();
        return list + ": " + text.substring(0, Math.min(text.length(), 80));
    }
}
