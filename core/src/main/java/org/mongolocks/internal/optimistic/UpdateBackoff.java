package org.mongolocks.internal.optimistic;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The bound of attempts, and the waits before them: a random part of a bound that doubles (full jitter). */
record UpdateBackoff(int maxAttempts, Duration first, Duration cap, RandomGenerator random) {
    private static final int MAX_DOUBLINGS = 20;

    UpdateBackoff {
        if (maxAttempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, was " + maxAttempts);
        }
        if (first.toMillis() < 1 || cap.compareTo(first) < 0) {
            throw new IllegalArgumentException("first wait must be from 1 ms to the cap, was " + first + " to " + cap);
        }
    }

    UpdateBackoff withMaxAttempts(int most) {
        return new UpdateBackoff(most, first, cap, random);
    }

    UpdateBackoff withWaits(Duration from, Duration to) {
        return new UpdateBackoff(maxAttempts, from, to, random);
    }

    UpdateBackoff withRandom(RandomGenerator generator) {
        return new UpdateBackoff(maxAttempts, first, cap, generator);
    }

    /** Returns the wait after that many attempts and faults, counted from 1. */
    Duration waitAfter(int tries) {
        Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, MAX_DOUBLINGS));
        Duration bound = doubled.compareTo(cap) < 0 ? doubled : cap;
        return Duration.ofNanos(random.nextLong(bound.toNanos() + 1));
    }
}
