package org.mongolocks.study;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.mongolocks.reporting.Markdown;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.waiting.WaitingCase;
import org.mongolocks.study.waiting.WaitingGoal;
import org.mongolocks.study.waiting.WaitingResult;
import org.mongolocks.study.waiting.WaitingWorkers;

/** Measures in the simulation what waiting costs, and prints it beside its bounds. */
final class WaitingMain {
    private static final long SEED = 1;

    private WaitingMain() {}

    static void run(List<Technique> techniques, StudyMain.Terminal terminal) {
        List<WaitingGoal> goals = WaitingGoal.all(techniques);
        Map<WaitingCase, WaitingResult> results = new ConcurrentHashMap<>();
        List<WaitingCase> cases =
                goals.stream().map(WaitingGoal::its).distinct().toList();
        AtomicInteger done = new AtomicInteger();
        cases.stream()
                .sorted(Comparator.comparingInt(one -> -one.clients()))
                .parallel()
                .forEach(one -> {
                    results.put(one, WaitingWorkers.run(one, SEED));
                    terminal.err()
                            .println("study: " + done.incrementAndGet() + " of " + cases.size() + ": "
                                    + one.technique().name() + ", " + one.title() + ", " + one.clients() + " clients");
                });
        terminal.out()
                .println(Markdown.table(
                        WaitingGoal.COLUMNS,
                        goals.stream()
                                .map(goal -> goal.cells(Objects.requireNonNull(results.get(goal.its()))))
                                .toList()));
    }
}
