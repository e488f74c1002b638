package org.mongolocks.strategy.optimisticversion;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The bound of attempts, and the waits before them: a random part of a bound that doubles (full jitter). */
record Pace(int mostAttempts, Duration first, Duration cap, RandomGenerator random) {
    private static final int MOST_DOUBLINGS = 20;

    Pace {
        if (mostAttempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, was " + mostAttempts);
        }
        if (first.toMillis() < 1 || cap.compareTo(first) < 0) {
            throw new IllegalArgumentException("first wait must be from 1 ms to the cap, was " + first + " to " + cap);
        }
    }

    Pace upTo(int most) {
        return new Pace(most, first, cap, random);
    }

    Pace waiting(Duration from, Duration to) {
        return new Pace(mostAttempts, from, to, random);
    }

    Pace by(RandomGenerator generator) {
        return new Pace(mostAttempts, first, cap, generator);
    }

    /** Returns the wait after that many attempts and faults, counted from 1. */
    Duration after(int tries) {
        Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, MOST_DOUBLINGS));
        Duration bound = doubled.compareTo(cap) < 0 ? doubled : cap;
        return Duration.ofNanos(random.nextLong(bound.toNanos() + 1));
    }
}
