package org.mongolocks.study.exhaustive;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mongolocks.reporting.Markdown;

/**
 * What the search of one world has found.
 *
 * @param states how many different states were visited
 * @param moves how many moves led from one of them to another
 * @param depth the largest number of moves to a state
 * @param isWhole whether all states were visited
 * @param wrong the first state that is not as it should be, which few moves reach; null if none was found
 */
public record SearchResult(
        SmallWorld world,
        int states,
        long moves,
        int depth,
        boolean isWhole,
        @Nullable WorldState wrong,
        Duration duration) {
    private static final List<String> COLUMNS = List.of(
            "technique",
            "world",
            "clients",
            "faults",
            "attempts",
            "times",
            "states",
            "moves",
            "depth",
            "seconds",
            "found");
    private static final String EMPHASIS = "**";
    private static final List<String> TWIN_COLUMNS = List.of("twin", "strategy", "world", "states", "found");

    /** Returns all results as a table in Markdown, and the counter-examples after it. */
    public static String text(List<SearchResult> results) {
        String examples = results.stream()
                .flatMap(each -> each.example().stream())
                .map(Example::text)
                .collect(Collectors.joining("\n\n"));
        return Markdown.table(
                        COLUMNS,
                        results.stream().map(each -> each.cells(EMPHASIS)).toList())
                + (examples.isEmpty() ? "" : "\n\n" + examples);
    }

    /** Returns the results of twins as a table in Markdown, with how many were found. */
    public static String ofTwins(List<SearchResult> results) {
        return Markdown.table(
                        TWIN_COLUMNS,
                        results.stream().map(each -> each.twinCells(EMPHASIS)).toList())
                + "\n\n" + summaryOfTwins(results);
    }

    /** Returns how many twins were found, as a sentence. */
    public static String summaryOfTwins(List<SearchResult> results) {
        long found = results.stream().filter(each -> each.wrong != null).count();
        return found + " of " + results.size() + " twins were found";
    }

    /** Returns the names of the columns of the table of worlds. */
    public static List<String> columns() {
        return COLUMNS;
    }

    /** Returns the names of the columns of the table of twins. */
    public static List<String> twinColumns() {
        return TWIN_COLUMNS;
    }

    /** Returns the line of this result in the table of worlds. */
    public List<String> cells() {
        return cells("");
    }

    private List<String> cells(String emphasis) {
        return List.of(
                world.technique().name(),
                world.name(),
                Integer.toString(world.clients()),
                Integer.toString(world.maxFaults()),
                Integer.toString(world.maxAttempts()),
                Integer.toString(world.maxMoments()),
                number(states),
                number(moves),
                Integer.toString(depth),
                Long.toString(duration.toSeconds()),
                complaint().orElse(isWhole ? "nothing, searched whole" : "nothing, " + emphasis + "cut" + emphasis));
    }

    /** Returns the line of this result in the table of twins. */
    public List<String> twinCells() {
        return twinCells("");
    }

    private List<String> twinCells(String emphasis) {
        Twin twin = Objects.requireNonNull(world.twin());
        return List.of(
                twin.name(),
                twin.strategy(),
                world.name(),
                number(states),
                complaint().orElse(emphasis + "nothing" + emphasis));
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Returns whether the world was searched whole and nothing is wrong in it. */
    public boolean isClean() {
        return isWhole && wrong == null;
    }

    /** Returns what is wrong in some state, or nothing. */
    public Optional<String> complaint() {
        return Optional.ofNullable(wrong).map(WorldState::complaint);
    }

    /** Returns how the state is reached in which something is wrong, or nothing. */
    public Optional<Example> example() {
        return Optional.ofNullable(wrong).map(state -> new Example(world, state));
    }
}
