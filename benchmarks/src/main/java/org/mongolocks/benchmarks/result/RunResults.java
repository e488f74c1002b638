package org.mongolocks.benchmarks.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The results of all benchmarks of a run.
 *
 * @param measurements the measurements, in the order in which they were recorded
 * @param differences the differences of each pair of strategies, and of a strategy and another library, from the rounds
 *     in which both ran
 * @param contenders the contenders, including those that were skipped
 * @param noise the baselines that drifted too far, at most one per run of a benchmark
 * @param remarks additional remarks for the reader, such as what could not be measured and why, a sentence each
 */
public record RunResults(
        List<Measurement> measurements,
        List<PairedDifference> differences,
        List<LockUnderTest> contenders,
        List<BaselineDrift> noise,
        List<String> remarks) {
    /**
     * The drift of a baseline in a benchmark, so high that small differences between its times are not significant.
     *
     * @param benchmark the id of the benchmark
     * @param baseline the id of the baseline with the highest drift
     * @param client the client
     * @param value by how much the upper quartile of its samples exceeded the lower: 0.1 is 10 %
     */
    public record BaselineDrift(
            String benchmark,
            @JsonProperty("floor") String baseline,
            Client client,
            @JsonProperty("drift") double value) {}

    public RunResults {
        measurements = List.copyOf(measurements);
        differences = List.copyOf(differences);
        contenders = List.copyOf(contenders);
        noise = List.copyOf(noise);
        remarks = List.copyOf(remarks);
    }
}
