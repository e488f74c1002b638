package org.mongolocks.study.process.parent;

import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.NetworkFaults;
import org.mongolocks.study.process.fault.ProcessFault;

/**
 * A row of the matrix of real processes.
 *
 * @param name its name; that of the simulator's row with the same fault, if there is one
 * @param about the fault, in a sentence
 * @param clock the wrong wall clock of the first client, if any
 * @param processFault the fault of the processes, if any
 * @param interference the network fault, if any
 */
public record ProcessScenario(
        String name,
        String about,
        Optional<ClockSkew> clock,
        Optional<Function<RandomGenerator, ProcessFault>> processFault,
        Optional<NetworkFaults> interference) {

    static ProcessScenario quiet(String name, String about) {
        return new ProcessScenario(name, about, Optional.empty(), Optional.empty(), Optional.empty());
    }

    ProcessScenario with(ClockSkew wrong) {
        return new ProcessScenario(name, about, Optional.of(wrong), processFault, interference);
    }

    ProcessScenario with(Function<RandomGenerator, ProcessFault> fate) {
        return new ProcessScenario(name, about, clock, Optional.of(fate), interference);
    }

    ProcessScenario with(NetworkFaults afterDelay) {
        return new ProcessScenario(name, about, clock, processFault, Optional.of(afterDelay));
    }
}
