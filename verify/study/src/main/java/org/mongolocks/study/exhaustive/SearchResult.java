package org.mongolocks.study.exhaustive;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.exhaustive.WorldState.Move;

/**
 * What the search of one world has found.
 *
 * @param states how many different states were visited
 * @param moves how many moves led from one of them to another
 * @param depth the largest number of moves to a state
 * @param isWhole whether all states were visited
 * @param complaint what is wrong in the first state that is not as it should be; null if none was found
 * @param trail how that state is reached, by as few moves as possible; null if there is none
 */
public record SearchResult(
        SmallWorld world,
        int states,
        long moves,
        int depth,
        boolean isWhole,
        @Nullable String complaint,
        @Nullable Chain<Move> trail,
        Duration duration) {
    /** Returns all results as a table in Markdown, and the counter-examples after it. */
    public static String text(List<SearchResult> results) {
        String table = results.stream().map(SearchResult::line).collect(Collectors.joining("\n"));
        String examples =
                results.stream().flatMap(each -> each.example().stream()).collect(Collectors.joining("\n\n"));
        return "| technique | world | clients | faults | times | states | moves | depth | seconds | found |\n"
                + "|---|---|---|---|---|---|---|---|---|---|\n" + table + (examples.isEmpty() ? "" : "\n\n" + examples);
    }

    /** Returns the results of twins as a table in Markdown, with how many were found. */
    public static String ofTwins(List<SearchResult> results) {
        long found = results.stream().filter(each -> each.complaint() != null).count();
        return "| twin | strategy | world | states | found |\n|---|---|---|---|---|\n"
                + results.stream().map(SearchResult::twinLine).collect(Collectors.joining("\n"))
                + "\n\n" + found + " of " + results.size() + " twins were found";
    }

    private String twinLine() {
        Twin twin = Objects.requireNonNull(world.twin());
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %,d | %s |",
                twin.name(),
                twin.strategy(),
                world.name(),
                states,
                complaint == null ? "**nothing**" : complaint);
    }

    /** Returns whether the world was searched whole and nothing is wrong in it. */
    public boolean isClean() {
        return isWhole && complaint == null;
    }

    private String line() {
        String found = complaint == null ? isWhole ? "nothing, searched whole" : "nothing, **cut**" : complaint;
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %d | %,d | %,d | %d | %d | %s |",
                world.technique().name(),
                world.name(),
                world.clients(),
                world.maxFaults(),
                world.maxMoments(),
                states,
                moves,
                depth,
                duration.toSeconds(),
                found);
    }

    private Optional<String> example() {
        return Optional.ofNullable(trail)
                .map(way -> world.technique().name() + ", " + world.name() + ": " + complaint + "\n"
                        + Chain.all(way).stream()
                                .map(each -> String.format(Locale.ROOT, "%7d ms  %s", each.millis(), each.what()))
                                .collect(Collectors.joining("\n")));
    }
}
