package org.mongolocks.benchmarks;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.measure.Crowd;
import org.mongolocks.benchmarks.measure.Workbench;
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
                print(bench, strategy, System.out);
            }
        }
    }

    private static void print(Workbench bench, LockStrategy strategy, PrintStream out) throws InterruptedException {
        String format = "%-24s %7s %7s %15s %9s %8s %15s %10s%n";
        out.printf(
                format,
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
                Contended run = Crowd.of(bench, strategy, clients, waiters, TIME);
                out.printf(
                        format,
                        "",
                        clients,
                        waiters,
                        decimal(run.commandsPerGrant()),
                        decimal(run.grantsPerSecond()),
                        decimal(run.fairness()),
                        run.longestWaitNanos() / 1_000_000,
                        run.violations().total());
            }
        }
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
