package org.mongolocks.study;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.mongolocks.study.exhaustive.Search;
import org.mongolocks.study.exhaustive.SearchResult;
import org.mongolocks.study.exhaustive.SmallWorld;
import org.mongolocks.study.exhaustive.Twin;

/** Searches small worlds, on all processors, and prints a table and the counter-examples. */
final class ExhaustiveMain {
    /** After so many states a search is cut: each keeps some kilobytes. */
    private static final int MAX_STATES = 500_000;

    private static final int MAX_TWIN_STATES = 200_000;

    private ExhaustiveMain() {}

    static void run(List<SmallWorld> worlds, List<Twin> twins, StudyMain.Terminal terminal) {
        AtomicInteger done = new AtomicInteger();
        int all = worlds.size() + twins.size();
        Consumer<SearchResult> progress = result -> terminal.err()
                .println("study: " + done.incrementAndGet() + " of " + all + ": "
                        + result.world().technique().name() + ", "
                        + result.world().name());
        List<SearchResult> searched = worlds.parallelStream()
                .map(world -> Search.of(world, MAX_STATES))
                .peek(progress)
                .toList();
        terminal.out().println(SearchResult.text(searched) + "\n");
        List<SearchResult> mistakes = twins.parallelStream()
                .map(twin -> Search.of(twin, MAX_TWIN_STATES))
                .peek(progress)
                .toList();
        terminal.out().println(SearchResult.ofTwins(mistakes));
    }
}
