package org.mongolocks.study;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.waiting.WaitingCase;
import org.mongolocks.study.waiting.WaitingChart;
import org.mongolocks.study.waiting.WaitingReport;
import org.mongolocks.study.waiting.WaitingResult;
import org.mongolocks.study.waiting.WaitingWorkers;

/** Measures in the simulation what waiting costs with many clients and many locks; prints a table. */
final class WaitingMain {
    private static final List<String> FILES = List.of("waiting.json", "waiting.svg");

    private WaitingMain() {}

    static void run(WaitingOptions options, PrintStream out, PrintStream err) {
        Optional<StudyFiles> files = options.out().map(StudyFiles::new);
        files.ifPresent(to -> to.prepare(FILES));
        List<WaitingCase> cases = options.cases();
        long started = System.nanoTime();
        WaitingReport report = new WaitingReport(options.seed(), measured(cases, options.seed(), err));
        out.println(report.table());
        out.println();
        out.println(cases.size() + " runs, each once, with seed " + options.seed());
        err.println(
                "study: " + cases.size() + " runs in " + (System.nanoTime() - started) / 1_000_000_000 + " seconds");
        files.ifPresent(to -> {
            to.write(FILES.get(0), report.json());
            to.write(FILES.get(1), new WaitingChart(report.results()).svg());
            out.println("Written: " + to.directory().resolve(FILES.get(0)) + " and "
                    + to.directory().resolve(FILES.get(1)));
        });
    }

    /** Runs all cases, those with most clients first, on all processors. */
    private static List<WaitingResult> measured(List<WaitingCase> cases, long seed, PrintStream err) {
        Map<WaitingCase, WaitingResult> results = new ConcurrentHashMap<>();
        cases.stream().sorted(Comparator.comparingInt(one -> -one.clients())).toList().parallelStream()
                .forEach(one -> {
                    results.put(one, WaitingWorkers.run(one, seed));
                    err.println("study: " + results.size() + " of " + cases.size() + ": "
                            + one.technique().name() + ", " + one.load().title() + ", " + one.clients()
                            + " clients");
                });
        return cases.stream()
                .map(one -> Optional.ofNullable(results.get(one)).orElseThrow())
                .toList();
    }
}
