package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.mongolocks.study.simulation.Fate;
import org.mongolocks.study.simulation.Message;
import org.mongolocks.study.simulation.Nemesis;

/**
 * Breaks connections now and then while a request is on its way, which arrives late all the same.
 *
 * @param random decides when
 * @param which which requests
 * @param chance how often
 * @param least how late at least
 * @param most how late at most
 */
record LateMessages(RandomGenerator random, Predicate<Message> which, double chance, Duration least, Duration most)
        implements Nemesis {
    @Override
    public Fate fate(Message message) {
        boolean hit =
                !message.isReply() && message.sending() == 1 && which.test(message) && random.nextDouble() < chance;
        return hit ? Fate.late(Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis()))) : Fate.ARRIVES;
    }
}
