package org.mongolocks.study.scenario;

import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.Nemesis;
import org.mongolocks.study.sim.net.Message;
import org.mongolocks.study.sim.net.MessageFate;
import org.mongolocks.study.sim.net.Purpose;

/**
 * A fault that breaks connections now and then, while a request or a reply is in flight.
 *
 * @param random determines when
 * @param purpose the purpose of the commands that it may hit
 * @param chance the probability
 */
record LostMessages(RandomGenerator random, Purpose purpose, double chance) implements Nemesis {
    @Override
    public MessageFate fate(Message message) {
        boolean hit = message.purpose() == purpose && random.nextDouble() < chance;
        return hit ? MessageFate.LOST : MessageFate.ARRIVES;
    }
}
