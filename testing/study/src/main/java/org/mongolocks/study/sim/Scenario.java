package org.mongolocks.study.sim;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.driver.SimulatedWorld.RandomFaults;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.technique.Technique;

/**
 * A row of the matrix: the actions of the clients, their environment, and the faults.
 *
 * @param name its name
 * @param about the fault, in a sentence
 * @param clocks the clock fault of each client
 * @param usage how the clients use locks
 * @param bounds the additional bounds of the row
 */
public record Scenario(
        String name,
        String about,
        Workload workload,
        Environment environment,
        IntFunction<ClockFault> clocks,
        Function<RandomGenerator, Nemesis> nemesis,
        LockUsage usage,
        HandoverLimits bounds) {
    private static final int MANY_CLIENTS = 32;
    private static final int FEWER = 5;

    /** Creates a row without bounds in which all workers acquire the one lock. */
    public Scenario(
            String name,
            String about,
            Workload workload,
            Environment environment,
            IntFunction<ClockFault> clocks,
            Function<RandomGenerator, Nemesis> nemesis) {
        this(name, about, workload, environment, clocks, nemesis, LockUsage.ALONE, HandoverLimits.NONE);
    }

    /** Returns the row with other actions of the clients. */
    public Scenario with(Workload actions) {
        return new Scenario(name, about, actions, environment, clocks, nemesis, usage, bounds);
    }

    /** Returns the row in another environment. */
    public Scenario with(Environment other) {
        return new Scenario(name, about, workload, other, clocks, nemesis, usage, bounds);
    }

    /** Returns the row with a wrong clock at the first client. */
    public Scenario with(ClockFault fault) {
        IntFunction<ClockFault> first = client -> client == 1 ? fault : ClockFault.NONE;
        return new Scenario(name, about, workload, environment, first, nemesis, usage, bounds);
    }

    /** Returns the row with another use of locks. */
    public Scenario with(LockUsage usage) {
        return new Scenario(name, about, workload, environment, clocks, nemesis, usage, bounds);
    }

    /** Returns the row with additional bounds. */
    public Scenario with(HandoverLimits limits) {
        return new Scenario(name, about, workload, environment, clocks, nemesis, usage, limits);
    }

    /**
     * Returns whether a technique has the features that the clients use.
     *
     * @return false if there is no such cell
     */
    public boolean isFor(Technique technique) {
        return usage.isForAll() || technique.config().isShipped();
    }

    /**
     * Returns the number of runs of a cell: fewer where many clients make each run long.
     *
     * @param seeds the number of runs of other cells
     * @return one at least
     */
    public int runs(int seeds) {
        return workload.clients() < MANY_CLIENTS ? seeds : Math.max(1, seeds / FEWER);
    }

    /** Injects the faults of one run. */
    public interface Nemesis extends RandomFaults {
        /** Called once, before the run. */
        default void begin(SimulationRun world) {}

        /** Called when a holder reaches a fault point. */
        default void at(FaultPoint moment, SimulationRun world, int client) {}
    }
}
