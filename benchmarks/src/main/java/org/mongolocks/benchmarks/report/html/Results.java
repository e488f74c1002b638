package org.mongolocks.benchmarks.report.html;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.choice.MeasuredRun;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.PairedDifference;

/**
 * The content of {@code results.json} that the page shows.
 *
 * @param conditions the conditions of the run
 * @param contenders the contenders, in the order of the file
 * @param measurements the measurements
 * @param differences the differences of each pair of strategies, and of a strategy and another library, from the rounds
 *     in which both ran
 * @param remarks additional remarks for the reader
 * @param json the complete content of the file
 */
public record Results(
        RunConditions conditions,
        List<LockUnderTest> contenders,
        List<Measurement> measurements,
        List<PairedDifference> differences,
        List<String> remarks,
        String json) {
    public Results {
        contenders = List.copyOf(contenders);
        measurements = List.copyOf(measurements);
        differences = List.copyOf(differences);
        remarks = List.copyOf(remarks);
    }

    Stream<LockUnderTest> with(Status status) {
        return contenders.stream().filter(contender -> contender.verdict().status() == status);
    }

    /** Returns the drift of the baselines of a benchmark, if it was too high. */
    Optional<Double> noise(String benchmark) {
        return Optional.ofNullable(conditions.benchmarks().noise().get(benchmark));
    }

    /** Returns what strategies are chosen by. */
    MeasuredRun run() {
        return new MeasuredRun(
                contenders, measurements, differences, conditions.server().chosenFor(), conditions.benchmarks());
    }
}
