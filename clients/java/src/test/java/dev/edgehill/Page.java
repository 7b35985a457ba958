package dev.edgehill;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page whose code is a program: each block of {@code java} goes on from those before it; blocks of {@code java compile} are
 * compiled alone, since they need accounts or clocks. Imports stand at the beginning of the blocks that need them first.
 */
final class Page {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java( compile)?\\n(.*?)^```");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]+;\\n");

    private final List<String> run = new ArrayList<>();
    private final List<String> compiled = new ArrayList<>();

    Page(String path) {
        Matcher block = BLOCK.matcher(Checkout.read(path));
        while (block.find()) {
            (block.group(1) == null ? run : compiled).add(block.group(2));
        }
    }

    /** Returns the first block. */
    String first() {
        return run.get(0);
    }

    /** Returns the number of blocks, those that run and those that are only compiled. */
    int blocks() {
        return run.size() + compiled.size();
    }

    /** Returns the page as a class that has {@code main} for the server that is named as its argument. */
    String program(String name) {
        TreeSet<String> imports = new TreeSet<>();
        StringBuilder main = new StringBuilder();
        for (String block : run) {
            Matcher found = IMPORT.matcher(block);
            while (found.find()) {
                imports.add(found.group());
            }
            main.append(found.replaceAll("")).append('\n');
        }
        StringBuilder others = new StringBuilder();
        for (int place = 0; place < compiled.size(); place++) {
            others.append("static void block" + place + "(Client client, Seat ada, Seat ben) throws Exception {\n"
                    + IMPORT.matcher(compiled.get(place)).replaceAll("") + "}\n");
        }
        return String.join("", imports) + "final class " + name + " {\n"
                + "public static void main(String[] args) throws Exception {\n"
                + main.toString().replace("\"localhost:7400\"", "args[0]") + "}\n" + others + "}\n";
    }
}
