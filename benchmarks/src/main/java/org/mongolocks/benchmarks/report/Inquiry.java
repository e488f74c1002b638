package org.mongolocks.benchmarks.report;

import java.util.List;
import org.mongolocks.benchmarks.result.Mode;

/**
 * The parameters of a run.
 *
 * @param mode the length of the run
 * @param only the ids of the benchmarks that ran
 * @param command the command that repeats the run, without secrets
 */
public record Inquiry(Mode mode, List<String> only, String command) {
    public Inquiry {
        only = List.copyOf(only);
    }
}
