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
import org.mongolocks.study.exhaustive.Twin;

/** Searches small worlds, on all processors, and prints a table and the counter-examples. */
final class ExhaustiveMain {
    /** After so many states a search is cut: each keeps some kilobytes. */
    private static final int MAX_STATES = 500_000;

    private static final int MAX_TWIN_STATES = 200_000;

    private ExhaustiveMain() {}

    static void run(List<SmallWorld> worlds, List<Twin> twins, StudyMain.Terminal terminal) {
        ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        AtomicInteger done = new AtomicInteger();
        int all = worlds.size() + twins.size();
        PrintStream err = terminal.err();
        List<Future<SearchResult>> searches = worlds.stream()
                .map(world ->
                        processors.submit(() -> told(Search.of(world, MAX_STATES), done.incrementAndGet(), all, err)))
                .toList();
        List<Future<SearchResult>> mistakes = twins.stream()
                .map(twin -> processors.submit(
                        () -> told(Search.of(twin, MAX_TWIN_STATES), done.incrementAndGet(), all, err)))
                .toList();
        processors.shutdown();
        terminal.out().println(SearchResult.text(results(searches)) + "\n");
        terminal.out().println(SearchResult.ofTwins(results(mistakes)));
    }

    private static SearchResult told(SearchResult result, int done, int all, PrintStream err) {
        SmallWorld world = result.world();
        err.println("study: " + done + " of " + all + ": " + world.technique().name() + ", " + world.name());
        return result;
    }

    private static List<SearchResult> results(List<Future<SearchResult>> running) {
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
