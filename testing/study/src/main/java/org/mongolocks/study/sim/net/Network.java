package org.mongolocks.study.sim.net;

import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
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

    /**
     * A command in flight, or its reply.
     *
     * @param label the step of the protocol
     * @param sending how often this command was sent, including this time
     * @param isStale whether its connection leads nowhere
     */
    public record Message(int client, Purpose purpose, boolean isReply, String label, int sending, boolean isStale) {}

    /**
     * The fate of a message.
     *
     * @param resets whether the connection breaks, so that the client soon gets an error
     * @param extra the additional delay
     */
    public record MessageFate(boolean arrives, boolean resets, Duration extra) {
        /** It arrives. */
        public static final MessageFate ARRIVES = new MessageFate(true, false, Duration.ZERO);
        /** It is lost, and the connection breaks. */
        public static final MessageFate LOST = new MessageFate(false, true, Duration.ZERO);
        /** It is lost, and the client gets no error. */
        public static final MessageFate SWALLOWED = new MessageFate(false, false, Duration.ZERO);

        /**
         * Returns a late arrival.
         *
         * @param by the delay
         */
        public static MessageFate delayed(Duration by) {
            return new MessageFate(true, false, by);
        }

        /**
         * Returns a broken connection on which the message still arrives, late.
         *
         * @param by the delay
         */
        public static MessageFate late(Duration by) {
            return new MessageFate(true, true, by);
        }
    }

    /** The purpose of a command. */
    public enum Purpose {
        /** To acquire, or to compensate an acquisition. */
        ACQUIRE,
        /** To renew. */
        RENEW,
        /** To release. */
        RELEASE,
        /** To write in a guarded transaction. */
        GUARD,
        /** To inspect or force-release a lock. */
        OPERATE,
        /** To listen to changes. */
        WATCH
    }
}
