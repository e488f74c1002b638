package org.mongolocks.benchmarks.report;

import static org.mongolocks.benchmarks.report.NumberFormat.percent;

import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.console.Console;
import org.mongolocks.benchmarks.measure.BaselineResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;

/** A printed report of a run. */
public final class TextReport {
    private static final String LEGEND_ALONE = """
            p50, p99: to acquire and release one free lock. x floor: the p50 against that of the floor, in turns of equal
            time; the median of all turns, and where their middle half lies. free, released, held, renew, release:
            commands sent to acquire a lock that was never used, was released, is held by another; to renew; to release.
            """;
    private static final String LEGEND_CONTENDED = """
            fairness: Jain's index, 1 is even, 1/9 is all to one. violations: seen by the data that the lock protects.
            """;

    private static final String LEGEND_CROWDS = """
            commands sent for each grant, waiting and releasing included, while one thread has the lock and so many wait.
            """;

    private final Report report;
    private final Console console;

    private TextReport(Report report, Console console) {
        this.report = report;
        this.console = console;
    }

    /** Prints a report. */
    public static void print(Report report, Console console) {
        new TextReport(report, console).print();
    }

    private void print() {
        section(console.bold(report.server().line()), machine());
        if (report.hasTable()) {
            tables();
        }
        List<String> remarks = remarks();
        if (!remarks.isEmpty()) {
            section(remarks.toArray());
        }
        console.out().println("Advice: " + Recommendation.on(report));
    }

    private void tables() {
        section("One thread, one free lock", TextTables.alone(report.measurements()), LEGEND_ALONE);
        if (report.hasContention()) {
            section("9 threads, one lock", TextTables.contended(report.measurements()), LEGEND_CONTENDED);
            section("One lock, more and more waiters", TextTables.crowds(report.measurements()), LEGEND_CROWDS);
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
        Stream<String> noise = Stream.of(report.measurements().floor())
                .filter(BaselineResult::isNoisy)
                .map(floor -> "Noisy: the floor drifted by " + percent(floor.drift())
                        + " during the run; take small differences with care.");
        Stream<String> unmeasured = report.unmeasured().stream()
                .filter(strategy -> strategy.why() != Why.FAILED)
                .map(strategy -> strategy.name() + ": " + strategy.reason());
        Stream<String> others = report.findings().remarks().stream();
        return Stream.of(noise, others, unmeasured).flatMap(lines -> lines).toList();
    }
}
