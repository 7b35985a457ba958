package dev.edgehill;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Lists that a server sends page by page. */
final class Pages {
    private Pages() {}

    /**
     * Returns all that is listed, in order; each page but the first is asked for when it is needed.
     *
     * @param page asks for the page of a token; empty: the first
     * @param next returns the token of the page behind one; empty: it is the last
     */
    static <P, T> Stream<T> of(Function<String, P> page, Function<P, String> next, Function<P, List<T>> items) {
        return Stream.iterate(
                        page.apply(""),
                        found -> found != null,
                        found -> next.apply(found).isEmpty() ? null : page.apply(next.apply(found)))
                .flatMap(found -> items.apply(found).stream());
    }
}
