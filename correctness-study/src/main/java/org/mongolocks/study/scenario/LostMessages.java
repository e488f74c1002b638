package org.mongolocks.study.scenario;

import java.util.random.RandomGenerator;
import org.mongolocks.study.simulation.Fate;
import org.mongolocks.study.simulation.Message;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.Purpose;

/**
 * Breaks connections now and then, while a request or a reply is on its way.
 *
 * @param random decides when
 * @param purpose whose connections
 * @param chance how often
 */
record LostMessages(RandomGenerator random, Purpose purpose, double chance) implements Nemesis {
    @Override
    public Fate fate(Message message) {
        boolean hit = message.purpose() == purpose && random.nextDouble() < chance;
        return hit ? Fate.LOST : Fate.ARRIVES;
    }
}
