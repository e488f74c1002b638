package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.Nemesis;
import org.mongolocks.study.sim.net.Message;
import org.mongolocks.study.sim.net.MessageFate;

/**
 * A fault that breaks connections now and then while a request is in flight; the request arrives later nevertheless.
 *
 * @param random determines when
 * @param which the requests that it may hit
 * @param chance the probability
 * @param least the shortest delay
 * @param most the longest delay
 */
record LateMessages(RandomGenerator random, Predicate<Message> which, double chance, Duration least, Duration most)
        implements Nemesis {
    @Override
    public MessageFate fate(Message message) {
        boolean hit =
                !message.isReply() && message.sending() == 1 && which.test(message) && random.nextDouble() < chance;
        return hit
                ? MessageFate.late(Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis())))
                : MessageFate.ARRIVES;
    }
}
