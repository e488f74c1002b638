package org.mongolocks.benchmarks.result;

import java.util.List;

/**
 * Is what all benchmarks of a run found.
 *
 * @param measurements the numbers, in the order in which they were found
 * @param contenders who took part, or was to
 * @param noise the floors that drifted too far, a race each
 * @param remarks what a reader has to know besides, such as what could not be measured and why, a sentence each
 */
public record Findings(
        List<Measurement> measurements, List<Contender> contenders, List<Drift> noise, List<String> remarks) {
    public Findings {
        measurements = List.copyOf(measurements);
        contenders = List.copyOf(contenders);
        noise = List.copyOf(noise);
        remarks = List.copyOf(remarks);
    }
}
