package org.mongolocks.study.technique;

import java.time.Duration;
import java.util.Optional;

/**
 * Says how a technique is used: as its article says, or as the library does it.
 *
 * @param retryInterval how long to wait between attempts, always the same; empty for the library's waiting
 * @param waitAtMost how long one acquisition waits
 * @param isShipped whether it is run as the clients of the library run it: with waiting lines, change streams, repeated
 *     commands, a time limit for each, majority, and a holder that heeds the end of its lease
 * @param isKeptAlive whether the lease is renewed while the lock is held
 * @param hasLease whether a grant ends by itself
 * @param isOptimistic whether many may work at once, and what protects is that the release writes only what nobody else
 *     has written since
 */
public record Habits(
        Optional<Duration> retryInterval,
        Duration waitAtMost,
        boolean isShipped,
        boolean isKeptAlive,
        boolean hasLease,
        boolean isOptimistic) {

    static Habits shipped() {
        return new Habits(Optional.empty(), Duration.ofSeconds(15), true, true, true, false);
    }

    static Habits textbook(Duration retryInterval, Duration waitAtMost) {
        return new Habits(Optional.of(retryInterval), waitAtMost, false, false, true, false);
    }

    Habits keptAlive() {
        return new Habits(retryInterval, waitAtMost, isShipped, true, hasLease, isOptimistic);
    }

    Habits withoutLease() {
        return new Habits(retryInterval, waitAtMost, isShipped, isKeptAlive, false, isOptimistic);
    }

    Habits optimistic() {
        return new Habits(retryInterval, waitAtMost, isShipped, isKeptAlive, false, true);
    }
}
