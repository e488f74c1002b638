package org.mongolocks.study;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.study.report.StudyFiles;
import org.mongolocks.study.waiting.WaitingCase;
import org.mongolocks.study.waiting.WaitingGoal;
import org.mongolocks.study.waiting.WaitingReport;
import org.mongolocks.study.waiting.WaitingResult;
import org.mongolocks.study.waiting.WaitingWorkers;

/** Measures in the simulation what waiting costs with many clients and many locks; prints a summary or a table. */
final class WaitingMain {
    private static final String FILE = "waiting.json";
    private static final long DEFAULT_SEED = 1;

    private WaitingMain() {}

    static void run(StudyOptions options, StudyMain.Terminal terminal) {
        PrintStream out = terminal.out();
        PrintStream err = terminal.err();
        List<WaitingGoal> goals = options.goals();
        List<WaitingCase> cases = options.cases(goals);
        long seed = options.seed().orElse(DEFAULT_SEED);
        Optional<StudyFiles> files = options.out().map(StudyFiles::new);
        files.ifPresent(to -> to.prepare(List.of(FILE)));
        long started = System.nanoTime();
        WaitingReport report = new WaitingReport(seed, measured(cases, seed, err));
        boolean isSummary = goals.isEmpty() && !terminal.showsTable();
        if (goals.isEmpty()) {
            out.println(isSummary ? report.summary() : report.table());
        } else {
            out.println(report.goals(goals));
        }
        out.println();
        out.println(SoakMain.count(cases.size(), "run") + ", each once, with seed " + seed);
        err.println("study: " + SoakMain.count(cases.size(), "run") + " in "
                + SoakMain.count((System.nanoTime() - started) / 1_000_000_000, "second"));
        if (isSummary) {
            out.println("All figures: --table, or --out DIR.");
        }
        files.ifPresent(to -> {
            to.write(FILE, report.json());
            out.println(to.written(FILE));
        });
    }

    /** Runs all cases, those with most clients first, on all processors. */
    private static List<WaitingResult> measured(List<WaitingCase> cases, long seed, PrintStream err) {
        Map<WaitingCase, Future<WaitingResult>> results = new HashMap<>();
        AtomicInteger done = new AtomicInteger();
        ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        cases.stream()
                .sorted(Comparator.comparingInt(one -> -one.clients()))
                .forEach(one -> results.put(one, processors.submit(() -> {
                    WaitingResult result = WaitingWorkers.run(one, seed);
                    err.println("study: " + done.incrementAndGet() + " of " + cases.size() + ": "
                            + one.technique().name() + ", " + one.title() + ", " + one.clients()
                            + " clients");
                    return result;
                })));
        processors.shutdown();
        return cases.stream()
                .map(one -> result(Objects.requireNonNull(results.get(one))))
                .toList();
    }

    private static WaitingResult result(Future<WaitingResult> running) {
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A run failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
