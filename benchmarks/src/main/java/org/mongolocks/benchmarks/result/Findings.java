package org.mongolocks.benchmarks.result;

import java.util.List;

/**
 * Is what all benchmarks of a run found.
 *
 * @param measurements the numbers, in the order in which they were found
 * @param contenders who took part, or was to
 * @param remarks what a reader has to know besides, such as what could not be measured and why, a sentence each
 */
public record Findings(List<Measurement> measurements, List<Contender> contenders, List<String> remarks) {
    public Findings {
        measurements = List.copyOf(measurements);
        contenders = List.copyOf(contenders);
        remarks = List.copyOf(remarks);
    }
}
