package org.mongolocks.benchmarks.harness;

import java.time.Duration;

/**
 * Is how many want a lock, and what for.
 *
 * @param waiters how many wait while one has the lock
 * @param section how long it is needed each time, besides the visit to the protected data
 */
record Crowd(int waiters, Duration section) {
    static Crowd of(int waiters, int sectionMillis) {
        return new Crowd(waiters, Duration.ofMillis(sectionMillis));
    }
}
