package org.mongolocks.benchmarks;

import static org.mongolocks.benchmarks.report.Figures.decimal;
import static org.mongolocks.benchmarks.report.Figures.times;
import static org.mongolocks.benchmarks.report.Figures.wholeMillis;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Crowd;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.report.TextTable;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;

/**
 * Prints what a grant costs while more and more wait, on one client and on eight. It measures the strategies that its
 * arguments name, the five without any, on the server that {@code MONGO_LOCKS_URI} names, or an embedded one:
 *
 * <pre>{@code java -cp benchmarks/target/benchmarks.jar org.mongolocks.benchmarks.Waiters findandmodify-counter}</pre>
 */
public final class Waiters {
    private static final List<Integer> CLIENTS = List.of(1, 8);
    private static final List<Integer> WAITERS = List.of(1, 8, 64, 256);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration TIME = Duration.ofSeconds(3);

    private Waiters() {}

    public static void main(String[] names) throws InterruptedException {
        List<String> wanted = names.length == 0 ? CompareOptions.FIVE : List.of(names);
        try (TargetServer server = TargetServer.ofEnvironment();
                Workbench bench = new Workbench(server)) {
            System.out.println(server.describe().line());
            for (LockStrategy strategy : StrategyCatalogue.found().named(wanted)) {
                Crowd.of(bench, strategy, 1, 1, WARM_UP);
                System.out.print(table(bench, strategy));
            }
        }
    }

    private static TextTable table(Workbench bench, LockStrategy strategy) throws InterruptedException {
        TextTable table = new TextTable(
                strategy.name(),
                "clients",
                "waiters",
                "commands/grant",
                "grants/s",
                "fairness",
                "longest wait ms",
                "violations");
        for (int clients : CLIENTS) {
            for (int waiters : WAITERS) {
                table.row(row(clients, waiters, Crowd.of(bench, strategy, clients, waiters, TIME)));
            }
        }
        return table;
    }

    private static String[] row(int clients, int waiters, Contended run) {
        return new String[] {
            "",
            String.valueOf(clients),
            String.valueOf(waiters),
            decimal(1, run.commandsPerGrant()),
            decimal(1, run.grantsPerSecond()),
            times(run.fairness()),
            wholeMillis(run.longestWaitNanos()),
            String.valueOf(run.violations().total())
        };
    }
}
