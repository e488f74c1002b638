package org.mongolocks.study;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.study.exhaustive.Search;
import org.mongolocks.study.exhaustive.SearchResult;
import org.mongolocks.study.exhaustive.SmallWorld;

/** Searches small worlds, on all processors, and prints a table and the counter-examples. */
final class ExhaustiveMain {
    /** About a kilobyte each. */
    private static final int MAX_STATES = 2_000_000;

    private ExhaustiveMain() {}

    static void run(List<SmallWorld> worlds, StudyMain.Terminal terminal) {
        List<SearchResult> results = searched(worlds, terminal.err());
        terminal.out().println(SearchResult.text(results));
    }

    private static List<SearchResult> searched(List<SmallWorld> worlds, PrintStream err) {
        AtomicInteger done = new AtomicInteger();
        ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        List<Future<SearchResult>> running = worlds.stream()
                .map(world -> processors.submit(() -> {
                    SearchResult result = Search.of(world, MAX_STATES);
                    err.println("study: " + done.incrementAndGet() + " of " + worlds.size() + ": "
                            + world.technique().name() + ", " + world.name());
                    return result;
                }))
                .toList();
        processors.shutdown();
        return running.stream().map(ExhaustiveMain::result).toList();
    }

    private static SearchResult result(Future<SearchResult> running) {
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A search failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
