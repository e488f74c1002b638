package org.mongolocks.benchmarks.report;

import static org.mongolocks.benchmarks.report.NumberFormat.percent;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;
import org.mongolocks.benchmarks.result.RunSummary;

/** A printed report of a run. */
public final class TextReport {
    private static final String LEGEND_UNCONTENDED = """
            p50, p99: to acquire and release one free lock. x baseline: the p50 against that of the baseline, in turns
            of equal time; the median of all turns, and where their middle half lies. free, released, held, renew, release:
            commands sent to acquire a lock that was never used, was released, is held by another; to renew; to release.
            """;
    private static final String LEGEND_CONTENDED = """
            fairness: Jain's index, 1 is even, 1/9 is all to one. violations: seen by the data that the lock protects.
            """;

    private static final String LEGEND_COMMANDS_PER_GRANT = """
            commands sent for each grant, waiting and releasing included, while one thread has the lock and so many wait.
            """;

    private final Report report;
    private final RunSummary summary;
    private final Console console;

    private TextReport(Report report, Console console) {
        this.report = report;
        this.summary = report.summary();
        this.console = console;
    }

    /** Prints a report. */
    public static void print(Report report, Console console) {
        new TextReport(report, console).print();
    }

    private void print() {
        section(console.bold(report.server().line()), machine());
        if (report.hasSummary()) {
            tables();
        }
        List<String> remarks = remarks();
        if (!remarks.isEmpty()) {
            section(remarks.toArray());
        }
        console.out().println("Advice: " + Recommendation.on(report));
    }

    private void tables() {
        section("One thread, one free lock", TextTables.uncontended(summary), LEGEND_UNCONTENDED);
        if (report.hasContention()) {
            section("9 threads, one lock", TextTables.contended(summary), LEGEND_CONTENDED);
            section("One lock, more and more waiters", TextTables.commandsPerGrant(summary), LEGEND_COMMANDS_PER_GRANT);
        }
    }

    private void section(Object... parts) {
        for (Object part : parts) {
            console.out().println(part.toString().stripTrailing());
        }
        console.out().println();
    }

    private String machine() {
        Machine machine = report.machine();
        return "Client: " + machine.cpus() + " CPUs, " + machine.os() + ", " + machine.jvm();
    }

    /**
     * Returns the remarks. Failed strategies are left out of the last part, because remarks of the benchmarks report
     * them.
     */
    private List<String> remarks() {
        Stream<String> noise = Stream.of(summary)
                .filter(RunSummary::isNoisy)
                .map(noisy -> "Noisy: the baseline drifted by " + percent(noisy.drift())
                        + " during the run; take small differences with care.");
        Stream<String> unmeasured = summary.strategies().stream()
                .flatMap(strategy -> strategy.obstacle().stream()
                        .filter(obstacle -> obstacle.why() != Why.FAILED)
                        .map(obstacle -> strategy.name() + ": " + obstacle.reason()));
        Stream<String> others = report.findings().remarks().stream();
        return Stream.of(noise, others, unmeasured).flatMap(lines -> lines).toList();
    }
}
