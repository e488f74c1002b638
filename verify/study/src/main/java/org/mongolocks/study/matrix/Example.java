package org.mongolocks.study.matrix;

import java.util.List;
import org.mongolocks.study.check.CounterExample;
import org.mongolocks.study.history.CommandRecord;

/**
 * A counter-example with its run.
 *
 * @param seed the seed of the run
 * @param counterExample the counter-example
 */
public record Example(long seed, CounterExample counterExample) {
    Example shorter(Example later) {
        int mine = counterExample.events().size();
        return later.counterExample.events().size() < mine ? later : this;
    }

    Example with(List<CommandRecord> ofRun) {
        return new Example(seed, counterExample.with(ofRun));
    }
}
