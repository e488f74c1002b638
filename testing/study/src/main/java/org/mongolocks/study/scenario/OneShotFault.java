package org.mongolocks.study.scenario;

import static org.mongolocks.study.technique.Techniques.TTL;

import java.time.Duration;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.FaultPoint;

/** A fault that hits one holder, once, at a fault point; a few holders pass the point before. */
final class OneShotFault implements Nemesis {
    private static final int MIN_SPARED = 1;
    private static final int SPARED_BOUND = 6;

    private final FaultPoint moment;
    private final IntPredicate victims;
    private final Blow blow;
    private int spared;

    /** The fault that hits the holder. */
    @FunctionalInterface
    interface Blow {
        /** Injects the fault. */
        void fall(SimulationRun world, int victim);
    }

    private OneShotFault(int spared, FaultPoint moment, IntPredicate victims, Blow blow) {
        this.spared = spared;
        this.moment = moment;
        this.victims = victims;
        this.blow = blow;
    }

    /** Returns a fault that hits the first holder at the point. */
    static OneShotFault first(FaultPoint moment, IntPredicate victims, Blow blow) {
        return new OneShotFault(0, moment, victims, blow);
    }

    static OneShotFault anybody(RandomGenerator random, FaultPoint moment, Blow blow) {
        return new OneShotFault(random.nextInt(MIN_SPARED, SPARED_BOUND), moment, client -> true, blow);
    }

    /** Returns a fault that crashes any holder at the point. */
    static OneShotFault crash(RandomGenerator random, FaultPoint moment) {
        return anybody(random, moment, SimulationRun::crash);
    }

    /** Returns a fault that pauses any holder at the point, for 1.5 to 3.5 leases. */
    static OneShotFault pause(RandomGenerator random, FaultPoint moment) {
        Duration length = TTL.multipliedBy(random.nextLong(150, 350)).dividedBy(100);
        return anybody(random, moment, (world, victim) -> world.pause(victim, length));
    }

    @Override
    public void at(FaultPoint now, SimulationRun world, int client) {
        if (now == moment && victims.test(client) && spared-- == 0) {
            blow.fall(world, client);
        }
    }
}
