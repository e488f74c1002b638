package org.mongolocks.benchmarks;

import static org.mongolocks.benchmarks.report.Figures.decimal;
import static org.mongolocks.benchmarks.report.Figures.times;
import static org.mongolocks.benchmarks.report.Figures.wholeMillis;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.harness.Crowd;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.report.TextTable;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.StrategyRival;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;

/**
 * Prints what a grant costs while more and more wait, on one client and on eight, in order and not. It measures the strategies that its
 * arguments name, the five without any, on the server that {@code MONGO_LOCKS_URI} names, or an embedded one:
 *
 * <pre>{@code java -cp benchmarks/target/benchmarks.jar org.mongolocks.benchmarks.Waiters findandmodify-counter}</pre>
 */
public final class Waiters {
    private static final List<Integer> CLIENTS = List.of(1, 8);
    private static final List<Integer> WAITERS = List.of(1, 8, 64, 256);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration TIME = Duration.ofSeconds(6);

    private Waiters() {}

    public static void main(String[] names) throws InterruptedException {
        List<String> wanted = names.length == 0 ? CompareOptions.FIVE : List.of(names);
        try (TargetServer server = TargetServer.ofEnvironment();
                Workbench bench = new Workbench(server)) {
            System.out.println(server.describe().line());
            for (LockStrategy strategy : StrategyCatalogue.found().named(wanted)) {
                try (Rival rival = new StrategyRival(bench, strategy, Client.SYNC)) {
                    contend(bench, rival, new Crowd(1, 1, Duration.ZERO, true), WARM_UP);
                    System.out.print(table(bench, rival));
                }
            }
        }
    }

    private static TextTable table(Workbench bench, Rival rival) throws InterruptedException {
        TextTable table = new TextTable(
                rival.id(),
                "in order",
                "clients",
                "waiters",
                "commands/grant",
                "grants/s",
                "fairness",
                "longest wait ms",
                "violations");
        for (Crowd crowd : crowds()) {
            table.row(row(crowd, contend(bench, rival, crowd, TIME)));
        }
        return table;
    }

    private static Contended contend(Workbench bench, Rival rival, Crowd crowd, Duration time)
            throws InterruptedException {
        return crowd.contend(rival, bench.protectedData(rival.id()), time);
    }

    private static List<Crowd> crowds() {
        return Stream.of(false, true)
                .flatMap(order -> CLIENTS.stream()
                        .flatMap(clients ->
                                WAITERS.stream().map(waiters -> new Crowd(clients, waiters, Duration.ZERO, order))))
                .toList();
    }

    private static String[] row(Crowd crowd, Contended run) {
        return new String[] {
            "",
            crowd.isInOrder() ? "yes" : "no",
            String.valueOf(crowd.parties()),
            String.valueOf(crowd.waiters()),
            decimal(1, run.commandsPerGrant()),
            decimal(1, run.grantsPerSecond()),
            times(run.fairness()),
            wholeMillis(run.longestWaitNanos()),
            String.valueOf(run.violations().total())
        };
    }
}
