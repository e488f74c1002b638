package org.mongolocks.benchmarks.result;

import java.util.List;

/**
 * The results of all benchmarks of a run.
 *
 * @param measurements the measurements, in the order in which they were recorded
 * @param contenders the contenders, including those that were skipped
 * @param noise the baselines that drifted too far, at most one per run of a benchmark
 * @param remarks additional remarks for the reader, such as what could not be measured and why, a sentence each
 */
public record RunResults(
        List<Measurement> measurements,
        List<LockUnderTest> contenders,
        List<BaselineDrift> noise,
        List<String> remarks) {
    public RunResults {
        measurements = List.copyOf(measurements);
        contenders = List.copyOf(contenders);
        noise = List.copyOf(noise);
        remarks = List.copyOf(remarks);
    }
}
