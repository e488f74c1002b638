package org.mongolocks.study.sim.net;

import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.time.DurationRange;
import org.mongolocks.study.sim.time.VirtualTime;

/** Carries messages between clients and the server, and drops some. */
public final class Network {
    private final VirtualTime time;
    private final DurationRange delay;
    private final RandomGenerator random;
    private final Function<Message, MessageFate> fates;

    public Network(
            VirtualTime time, DurationRange delay, RandomGenerator random, Function<Message, MessageFate> fates) {
        this.time = time;
        this.delay = delay;
        this.random = random;
        this.fates = fates;
    }

    /** Sends a message, and returns its fate; either task, both or none of them will run. */
    public MessageFate send(Message message, Runnable arrived, Runnable reset) {
        MessageFate fate = fates.apply(message);
        long nanos = delay.draw(random);
        if (fate.arrives()) {
            time.after(nanos + fate.extra().toNanos(), arrived);
        }
        if (fate.resets()) {
            time.after(nanos, reset);
        }
        return fate;
    }
}
