package org.mongolocks.benchmarks.report;

import java.util.List;
import org.mongolocks.benchmarks.result.Mode;

/**
 * Is what a run was asked for.
 *
 * @param mode how thoroughly it measured
 * @param only the ids of the benchmarks that ran
 * @param command what to type to repeat it, without anything secret
 */
public record Inquiry(Mode mode, List<String> only, String command) {
    public Inquiry {
        only = List.copyOf(only);
    }
}
