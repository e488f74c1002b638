package org.mongolocks.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.mongolocks.benchmarks.console.Console;
import org.mongolocks.benchmarks.console.ProgressLine;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.measure.Budget;
import org.mongolocks.benchmarks.measure.Comparison;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.report.Machine;
import org.mongolocks.benchmarks.report.Report;
import org.mongolocks.benchmarks.report.ResultsJson;
import org.mongolocks.benchmarks.report.Summary;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;

/**
 * Compares lock strategies on one MongoDB and prints what it found; {@code ./compare} starts it. It exits with
 *
 * <ul>
 *   <li>0 if all went well;
 *   <li>1 if a strategy failed or let two hold a lock at once;
 *   <li>2 if the arguments, or the server that they name, are of no use: one line says why;
 *   <li>3 if this program is broken.
 * </ul>
 */
public final class Compare {
    private static final int SOUND = 0;
    private static final int BROKEN = 1;
    private static final int UNUSABLE = 2;
    private static final int BUG = 3;

    private final Console console;
    private final Supplier<StrategyCatalogue> catalogue;
    private final Budget quick;
    private final Budget full;

    Compare(Console console, Supplier<StrategyCatalogue> catalogue, Budget quick, Budget full) {
        this.console = console;
        this.catalogue = catalogue;
        this.quick = quick;
        this.full = full;
    }

    public static void main(String[] arguments) {
        Console console = Console.system();
        Compare compare = new Compare(console, StrategyCatalogue::found, Budget.quick(), Budget.full());
        int status = BUG;
        try {
            status = compare.run(arguments);
        } catch (RuntimeException | InterruptedException e) {
            e.printStackTrace(console.err());
        }
        System.exit(status);
    }

    /** Does what the arguments ask for, and gives the exit status. */
    int run(String... arguments) throws InterruptedException {
        try {
            CompareOptions options = CompareOptions.parse(arguments);
            return options.help() ? help() : compare(options);
        } catch (UnusableInputException e) {
            console.err().println("compare: " + e.getMessage());
            return UNUSABLE;
        }
    }

    private int help() {
        console.out().print(Usage.text());
        return SOUND;
    }

    private int compare(CompareOptions options) throws InterruptedException {
        List<LockStrategy> strategies = catalogue.get().named(options.strategies());
        ResultsDirectory directory = ResultsDirectory.open(options.out());
        try (TargetServer server = TargetServer.of(options.uri())) {
            Report report = measure(server, strategies, options);
            Summary.print(report, console);
            Path results = directory.write(ResultsJson.of(report));
            console.out().println("Results: " + results);
            return report.isSound() ? SOUND : BROKEN;
        }
    }

    private Report measure(TargetServer server, List<LockStrategy> strategies, CompareOptions options)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        ServerDescription description = server.describe();
        Budget budget = options.quick() ? quick : full;
        try (Workbench bench = new Workbench(server);
                ProgressLine progress = new ProgressLine(console)) {
            Measurements measurements = new Comparison(bench, strategies, budget, progress).run();
            Duration elapsed = Duration.between(startedAt, Instant.now());
            return new Report(startedAt, elapsed, options.quick(), description, Machine.current(), measurements);
        }
    }
}
