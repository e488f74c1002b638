package org.mongolocks.study.process.parent;

import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.NetworkFaults;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.fault.TargetedFault;
import org.mongolocks.study.sim.config.FaultPoint;

/** All scenarios of real processes. */
public final class ProcessScenarios {
    private static final int MINUTES = 10;
    /** The largest number of holders that pass a fault point before one is hit. */
    private static final int MAX_SPARED = 4;

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
                        .with(blow(FaultPoint.WORKING, ProcessFault.Scene::kill)),
                quiet("holder-pause", "a holder is paused during its work until another client has acquired the lock")
                        .with(blow(FaultPoint.WORKING, ProcessFault.Scene::pause)),
                quiet(
                                "holder-pause-checked",
                                "a holder is paused between its check and its write until another client has acquired"
                                        + " the lock")
                        .with(blow(FaultPoint.CHECKED, ProcessFault.Scene::pause)),
                quiet("client-ahead", "the wall clock of one client is ten minutes ahead")
                        .with(ClockSkew.ahead(MINUTES)),
                quiet("client-behind", "the wall clock of one client is ten minutes behind")
                        .with(ClockSkew.behind(MINUTES)),
                quiet("client-fast", "the wall clock of one client runs at twice the rate of time")
                        .with(ClockSkew.fast(2)),
                quiet("requests-lost", "now and then one to three commands in a row never reach the server")
                        .with(new NetworkFaults("the connection is lost before ", WireFault::loseRequest)),
                quiet("replies-lost", "now and then one to three replies in a row never reach their client")
                        .with(new NetworkFaults("the connection is lost after ", WireFault::loseReply)),
                quiet("connections-reset", "now and then one to three connections are reset during a command")
                        .with(new NetworkFaults("the connection is reset during ", WireFault::reset)));
    }

    private static ProcessScenario quiet(String name, String about) {
        return ProcessScenario.quiet(name, about);
    }

    private static Function<RandomGenerator, ProcessFault> blow(FaultPoint moment, TargetedFault.Action action) {
        return random -> new TargetedFault(moment, 1 + random.nextInt(MAX_SPARED), action);
    }
}
