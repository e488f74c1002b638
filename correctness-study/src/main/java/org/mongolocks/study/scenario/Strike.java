package org.mongolocks.study.scenario;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.World;

/** A fault that hits one holder, once, at a fault point; a few holders pass the point before. */
final class Strike implements Nemesis {
    private static final int FEWEST = 1;
    private static final int MOST = 6;

    private final Moment moment;
    private final IntPredicate victims;
    private final Blow blow;
    private int spared;

    /** The fault that hits the holder. */
    @FunctionalInterface
    interface Blow {
        /** Injects the fault. */
        void fall(World world, int victim);
    }

    private Strike(int spared, Moment moment, IntPredicate victims, Blow blow) {
        this.spared = spared;
        this.moment = moment;
        this.victims = victims;
        this.blow = blow;
    }

    /** Returns a fault that hits the first holder at the point. */
    static Strike first(Moment moment, IntPredicate victims, Blow blow) {
        return new Strike(0, moment, victims, blow);
    }

    static Strike anybody(RandomGenerator random, Moment moment, Blow blow) {
        return new Strike(random.nextInt(FEWEST, MOST), moment, client -> true, blow);
    }

    @Override
    public void at(Moment now, World world, int client) {
        if (now == moment && victims.test(client) && spared-- == 0) {
            blow.fall(world, client);
        }
    }
}
