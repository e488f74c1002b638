package org.mongolocks.benchmarks.report;

import java.util.List;
import org.mongolocks.benchmarks.result.RunLength;

/**
 * The parameters of a run.
 *
 * @param mode the length of the run
 * @param only the ids of the benchmarks that ran
 * @param command the command that repeats the run, without secrets
 */
public record RunParameters(RunLength mode, List<String> only, String command) {
    public RunParameters {
        only = List.copyOf(only);
    }
}
