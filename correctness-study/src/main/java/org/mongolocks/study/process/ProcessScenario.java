package org.mongolocks.study.process;

import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Is a row of the matrix of real processes.
 *
 * @param name its name; that of the simulator's row in which the same goes wrong, if there is one
 * @param about what goes wrong, in a sentence
 * @param clock how wrong the wall clock of the first client is, if it is
 * @param mishap what befalls the processes, if something does
 * @param interference what befalls commands on their way, if something does
 */
public record ProcessScenario(
        String name,
        String about,
        Optional<WrongClock> clock,
        Optional<Function<RandomGenerator, Mishap>> mishap,
        Optional<Interference> interference) {

    static ProcessScenario quiet(String name, String about) {
        return new ProcessScenario(name, about, Optional.empty(), Optional.empty(), Optional.empty());
    }

    ProcessScenario with(WrongClock wrong) {
        return new ProcessScenario(name, about, Optional.of(wrong), mishap, interference);
    }

    ProcessScenario with(Function<RandomGenerator, Mishap> fate) {
        return new ProcessScenario(name, about, clock, Optional.of(fate), interference);
    }

    ProcessScenario with(Interference onTheWay) {
        return new ProcessScenario(name, about, clock, mishap, Optional.of(onTheWay));
    }
}
