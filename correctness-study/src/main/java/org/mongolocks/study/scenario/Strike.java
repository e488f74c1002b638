package org.mongolocks.study.scenario;

import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.World;

/** Strikes one holder, once, when it comes to a moment; a few have come to theirs before. */
final class Strike implements Nemesis {
    private static final int FEWEST = 1;
    private static final int MOST = 6;

    private final Moment moment;
    private final IntPredicate victims;
    private final Blow blow;
    private int spared;

    /** Is what befalls the victim. */
    @FunctionalInterface
    interface Blow {
        /** Falls. */
        void fall(World world, int victim);
    }

    private Strike(int spared, Moment moment, IntPredicate victims, Blow blow) {
        this.spared = spared;
        this.moment = moment;
        this.victims = victims;
        this.blow = blow;
    }

    /** Strikes the first that comes. */
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
