package org.mongolocks.study;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.study.exhaustive.Search;
import org.mongolocks.study.exhaustive.SearchResult;
import org.mongolocks.study.exhaustive.SmallWorld;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.report.SearchJson;
import org.mongolocks.study.report.SearchPage;
import org.mongolocks.study.report.StudyFiles;

/** Searches small worlds, on all processors, and prints tables and the counter-examples. */
final class ExhaustiveMain {
    /** After so many states a search is cut: a million of them take about 300 megabytes. */
    private static final int MAX_STATES = 20_000_000;

    private static final int MAX_TWIN_STATES = 500_000;

    private ExhaustiveMain() {}

    static void run(List<SmallWorld> worlds, List<Twin> twins, Optional<Path> directory, StudyMain.Terminal terminal) {
        Optional<StudyFiles> files = directory.map(StudyFiles::new);
        files.ifPresent(to -> to.prepare(List.of(SearchJson.FILE, SearchPage.FILE)));
        Stream<Supplier<SearchResult>> ofWorlds = worlds.stream().map(world -> () -> Search.of(world, MAX_STATES));
        Stream<Supplier<SearchResult>> ofTwins = twins.stream().map(twin -> () -> Search.of(twin, MAX_TWIN_STATES));
        List<Supplier<SearchResult>> all = Stream.concat(ofWorlds, ofTwins).toList();
        AtomicInteger done = new AtomicInteger();
        List<SearchResult> results = all.parallelStream()
                .map(Supplier::get)
                .peek(result -> terminal.err()
                        .println("study: " + done.incrementAndGet() + " of " + all.size() + ": "
                                + result.world().technique().name() + ", "
                                + result.world().name()))
                .toList();
        List<SearchResult> searched = results.subList(0, worlds.size());
        List<SearchResult> mistakes = results.subList(worlds.size(), results.size());
        terminal.out().println(SearchResult.text(searched) + "\n\n" + SearchResult.ofTwins(mistakes));
        files.ifPresent(to -> {
            to.write(SearchJson.FILE, SearchJson.of(searched));
            to.write(SearchPage.FILE, SearchPage.of(searched, mistakes));
            terminal.out().println(to.written(SearchJson.FILE, SearchPage.FILE));
        });
    }
}
