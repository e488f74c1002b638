package org.mongolocks.study.process;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.study.simulation.Moment;

/** All scenarios of real processes. */
public final class ProcessScenarios {
    private static final int MINUTES = 10;
    /** The largest number of holders that pass a fault point before one is hit. */
    private static final int MOST_SPARED = 4;

    private ProcessScenarios() {}

    /**
     * Returns all scenarios.
     *
     * @return the scenarios, in the order of the matrix
     */
    public static List<ProcessScenario> all() {
        return List.of(
                quiet("healthy", "no fault"),
                quiet("holder-crash", "a holder is killed in its critical section")
                        .with(blow(Moment.WORKING, Mishap.Scene::kill)),
                quiet("holder-pause", "a holder is paused during its work until another client has acquired the lock")
                        .with(blow(Moment.WORKING, Mishap.Scene::standStill)),
                quiet(
                                "holder-pause-checked",
                                "a holder is paused between its check and its write until another client has acquired"
                                        + " the lock")
                        .with(blow(Moment.CHECKED, Mishap.Scene::standStill)),
                quiet("client-ahead", "the wall clock of one client is ten minutes ahead")
                        .with(WrongClock.ahead(MINUTES)),
                quiet("client-behind", "the wall clock of one client is ten minutes behind")
                        .with(WrongClock.behind(MINUTES)),
                quiet("client-fast", "the wall clock of one client runs at twice the rate of time")
                        .with(WrongClock.fast(2)),
                quiet("requests-lost", "now and then one to three commands in a row never reach the server")
                        .with(new Interference("the connection is lost before ", WireFault::loseRequest)),
                quiet("replies-lost", "now and then one to three replies in a row never reach their client")
                        .with(new Interference("the connection is lost after ", WireFault::loseReply)),
                quiet("connections-reset", "now and then one to three connections are reset during a command")
                        .with(new Interference("the connection is reset during ", WireFault::reset)));
    }

    private static ProcessScenario quiet(String name, String about) {
        return ProcessScenario.quiet(name, about);
    }

    private static Function<RandomGenerator, Mishap> blow(Moment moment, Blow.Deed deed) {
        return random -> new Blow(moment, 1 + random.nextInt(MOST_SPARED), deed);
    }
}
