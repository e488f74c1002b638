package org.mongolocks.benchmarks.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mongolocks.benchmarks.report.Console;
import org.mongolocks.benchmarks.report.Console.ProgressLine;
import org.mongolocks.benchmarks.report.DifferenceReport;
import org.mongolocks.benchmarks.report.PreviousRun;
import org.mongolocks.benchmarks.report.Report;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.Report.RunParameters;
import org.mongolocks.benchmarks.report.ResultsJson;
import org.mongolocks.benchmarks.report.TextReport;
import org.mongolocks.benchmarks.report.html.HtmlReport;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.benchmarks.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;

/**
 * The entry point of the comparison, started by {@code ./compare}: measures lock strategies on one MongoDB and prints
 * the results. Exit status:
 *
 * <ul>
 *   <li>0: success;
 *   <li>1: a strategy failed or violated mutual exclusion;
 *   <li>2: the arguments or the server they name are unusable; one line on standard error gives the reason;
 *   <li>3: a bug in this program.
 * </ul>
 */
public final class CompareMain {
    /**
     * The loggers whose warnings would only repeat what is measured, such as the loss of a lock. They are referenced
     * here because their levels end with them.
     */
    private static final List<Logger> SILENCED =
            List.of(Logger.getLogger("org.mongolocks"), Logger.getLogger("io.grpc"));

    private static final int SOUND = 0;
    private static final int BROKEN = 1;
    private static final int UNUSABLE = 2;
    private static final int BUG = 3;

    private final Console console;
    private final Supplier<Strategies> catalogue;
    private final Function<CompareOptions, Duration> time;

    CompareMain(Console console, Supplier<Strategies> catalogue, Function<CompareOptions, Duration> time) {
        this.console = console;
        this.catalogue = catalogue;
        this.time = time;
    }

    public static void main(String[] arguments) {
        SILENCED.forEach(logger -> logger.setLevel(Level.SEVERE));
        Console console = Console.system();
        CompareMain compare = new CompareMain(console, Strategies::found, CompareOptions::time);
        int status = BUG;
        try {
            status = compare.run(arguments);
        } catch (RuntimeException | InterruptedException e) {
            e.printStackTrace(console.err());
        }
        System.exit(status);
    }

    /** Runs the program and returns the exit status. */
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
        console.out().print(CompareOptions.usage());
        return SOUND;
    }

    private int compare(CompareOptions options) throws InterruptedException {
        BenchmarkRegistry registry = BenchmarkRegistry.all(options.peers()).only(options.only());
        List<LockStrategy> strategies = catalogue.get().named(options.strategies());
        Optional<PreviousRun> baseline = options.baseline().map(PreviousRun::read);
        ResultsDirectory directory = ResultsDirectory.open(options.out());
        try (TargetServer server = TargetServer.of(options.uri(), options.majorityLag())) {
            Report report = measure(server, strategies, registry, options);
            TextReport.print(report, console);
            String json = ResultsJson.of(report);
            baseline.ifPresent(earlier -> DifferenceReport.print(earlier, json, console));
            console.out().println("Results: " + directory.write(json));
            console.out().println("Report: " + directory.writePage(HtmlReport.of(json)));
            return report.isSound() ? SOUND : BROKEN;
        }
    }

    private Report measure(
            TargetServer server, List<LockStrategy> strategies, BenchmarkRegistry registry, CompareOptions options)
            throws InterruptedException {
        Duration total = time.apply(options);
        BenchmarkRun benchmarkRun = new BenchmarkRun(registry.benchmarks(), options.mode(), registry.shareOf(total));
        Instant startedAt = Instant.now();
        Machine machine = Machine.current();
        ServerDescription description = server.describe();
        try (RunEnvironment environment = new RunEnvironment(server);
                ProgressLine progress = new ProgressLine(console)) {
            BenchmarkContext context = benchmarkRun.run(environment, strategies, progress);
            return new Report(
                    startedAt,
                    Duration.between(startedAt, Instant.now()),
                    new RunParameters(options.mode(), benchmarkRun.ids(), total, options.command()),
                    description,
                    machine,
                    context.findings());
        }
    }
}
