package org.mongolocks.benchmarks.cli;

import com.mongodb.MongoInterruptedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.mongolocks.benchmarks.report.Console;
import org.mongolocks.benchmarks.report.Console.ProgressLine;
import org.mongolocks.benchmarks.report.DifferenceReport;
import org.mongolocks.benchmarks.report.HtmlReport;
import org.mongolocks.benchmarks.report.PreviousRun;
import org.mongolocks.benchmarks.report.Report;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.Report.RunParameters;
import org.mongolocks.benchmarks.report.ResultsJson;
import org.mongolocks.benchmarks.report.TextReport;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.scenario.BenchmarkRegistry;
import org.mongolocks.reporting.ProgramArguments;
import org.mongolocks.reporting.server.ServerDescription;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;

/**
 * The entry point of the comparison, started by {@code ./compare}: measures lock strategies on one MongoDB and prints
 * the results. Exit status:
 *
 * <ul>
 *   <li>0: success;
 *   <li>1: a strategy failed or violated mutual exclusion;
 *   <li>2: the arguments or the server they name are unusable; one line on standard error gives the reason;
 *   <li>3: a bug in this program;
 *   <li>130: the run was stopped; {@code results.json} and the page have what was measured.
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
    private static final int STOPPED = 130;
    private static final Duration TIME_TO_STOP = Duration.ofSeconds(10);

    private final Console console;
    private final Supplier<Strategies> catalogue;
    private final Function<CompareOptions, Duration> time;
    private final Duration grace;

    /**
     * Creates the program.
     *
     * @param grace how much longer than planned a benchmark may take
     */
    CompareMain(
            Console console, Supplier<Strategies> catalogue, Function<CompareOptions, Duration> time, Duration grace) {
        this.console = console;
        this.catalogue = catalogue;
        this.time = time;
        this.grace = grace;
    }

    public static void main(String[] arguments) {
        SILENCED.forEach(logger -> logger.setLevel(Level.SEVERE));
        Console console = Console.system();
        CompareMain compare = new CompareMain(console, Strategies::found, CompareOptions::time, BenchmarkRun.GRACE);
        CountDownLatch ended = new CountDownLatch(1);
        interruptIfStopped(Thread.currentThread(), ended);
        int status = BUG;
        try {
            status = compare.run(arguments);
        } catch (RuntimeException e) {
            e.printStackTrace(console.err());
        } finally {
            ended.countDown();
        }
        System.exit(status);
    }

    /** Lets a signal interrupt the run, and waits until it has written its results. */
    private static void interruptIfStopped(Thread run, CountDownLatch ended) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            run.interrupt();
            try {
                ended.await(TIME_TO_STOP.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** Runs the program and returns the exit status. */
    int run(String... arguments) {
        try {
            CompareOptions options = CompareOptions.parse(arguments);
            return options.help() ? help() : compare(options);
        } catch (UnusableInputException e) {
            console.err().println("compare: " + e.getMessage());
            return UNUSABLE;
        } catch (InterruptedException | MongoInterruptedException e) {
            console.err().println("compare: stopped");
            return STOPPED;
        }
    }

    private int help() {
        console.out().print(ProgramArguments.usage(CompareMain.class, "usage.txt"));
        return SOUND;
    }

    private int compare(CompareOptions options) throws InterruptedException {
        BenchmarkRegistry registry = BenchmarkRegistry.all(options.peers()).of(options.mode(), options.only());
        List<LockStrategy> strategies = catalogue.get().named(options.strategies());
        Optional<PreviousRun> baseline = options.baseline().map(PreviousRun::read);
        ResultsDirectory directory = ResultsDirectory.open(options.out());
        Duration total = time.apply(options);
        BenchmarkRun run = new BenchmarkRun(registry.benchmarks(), options.mode(), registry.shareOf(total), grace);
        try (Target server = Target.of(options.uri(), options.majorityLag())) {
            Instant startedAt = Instant.now();
            RunParameters parameters = new RunParameters(options.mode(), run.ids(), total, options.command());
            ServerDescription described = server.describe();
            Machine machine = Machine.current();
            ReportSoFar report = new ReportSoFar(
                    directory,
                    (findings, missing) -> new Report(
                            startedAt,
                            Duration.between(startedAt, Instant.now()),
                            parameters,
                            described,
                            machine,
                            findings,
                            missing));
            try (RunEnvironment environment = new RunEnvironment(server);
                    ProgressLine progress = new ProgressLine(console)) {
                run.run(environment, strategies, progress, report);
            } finally {
                report.print(console, baseline);
            }
            return report.isSound() ? SOUND : BROKEN;
        }
    }

    /** The report of a run that goes on: it is written whenever results come. */
    private static final class ReportSoFar implements BenchmarkRun.Results {
        private final ResultsDirectory directory;
        private final BiFunction<RunResults, List<String>, Report> reports;
        private Optional<Report> newest = Optional.empty();

        ReportSoFar(ResultsDirectory directory, BiFunction<RunResults, List<String>, Report> reports) {
            this.directory = directory;
            this.reports = reports;
        }

        @Override
        public void receive(RunResults findings, List<String> missing) {
            boolean isStopped = Thread.interrupted(); // which would end the writing of a file
            Report report = reports.apply(findings, missing);
            newest = Optional.of(report);
            String json = ResultsJson.of(report);
            directory.write(json);
            directory.writePage(HtmlReport.of(json));
            if (isStopped) {
                Thread.currentThread().interrupt();
            }
        }

        /** Prints the newest results and where they are. */
        void print(Console console, Optional<PreviousRun> baseline) {
            newest.ifPresent(report -> {
                TextReport.print(report, console);
                baseline.ifPresent(earlier -> DifferenceReport.print(earlier, ResultsJson.of(report), console));
                console.out().println("Results: " + directory.results());
                console.out().println("Report: " + directory.page());
            });
        }

        boolean isSound() {
            return newest.filter(Report::isSound).isPresent();
        }
    }
}
