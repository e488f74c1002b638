package org.mongolocks.leader.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.time.Timer;

/** The timer of an election's pauses and checks: one of its own, but in tests. */
public final class ElectionTimer {
    private static final ThreadLocal<@Nullable Timer> OF_TEST = new ThreadLocal<>();

    private ElectionTimer() {}

    /** Returns an election that is created with a timer by which its lock client runs too. */
    public static <E> E with(Timer timer, Supplier<E> creation) {
        OF_TEST.set(timer);
        try {
            return creation.get();
        } finally {
            OF_TEST.remove();
        }
    }

    /** Returns the timer for an election that is being created. */
    public static Timer orElse(Supplier<Timer> own) {
        Timer ofTest = OF_TEST.get();
        return ofTest == null ? own.get() : ofTest;
    }
}
