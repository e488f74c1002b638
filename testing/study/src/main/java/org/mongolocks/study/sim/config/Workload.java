package org.mongolocks.study.sim.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/**
 * The actions of the clients of a run, in a loop: think, acquire, read the resources, work, write, release.
 *
 * @param clients the number of processes
 * @param workers the number of threads in each
 * @param think the time between two acquisitions of a worker
 * @param work the time between reading and writing
 * @param length the length of the run, before all faults end and a new client acquires the lock
 */
public record Workload(int clients, int workers, DurationRange think, DurationRange work, Duration length) {

    /** The locks of a run: the one of most scenarios, with the number 0, and several others. */
    public static final class Locks {
        /** The number of other locks: any two pairs of them have one in common. */
        public static final int SEVERAL = 3;

        private static final LockName ONE = LockName.of("invoices");
        /** Their names differ in case only, listed in sort order. */
        private static final List<LockName> OTHERS =
                Stream.of("ACCOUNT", "Account", "account").map(LockName::of).toList();

        private Locks() {}

        public static LockName one() {
            return ONE;
        }

        public static LockName named(int number) {
            return number == 0 ? ONE : OTHERS.get(number - 1);
        }

        public static List<LockName> several() {
            return OTHERS;
        }

        public static int number(LockName name) {
            return OTHERS.indexOf(name) + 1;
        }
    }

    /**
     * How the workers of a scenario use locks.
     *
     * @param use the kind of acquisition
     * @param timeout how long one acquisition waits; empty for as long as the technique does
     * @param commandTimeout the command timeout
     * @param isForAll whether the articles' techniques have the row too
     * @param isKeptAlive whether a held lock is renewed, if the technique does that
     * @param handover the bound on the median time from a release to the next grant while clients wait; empty for none
     */
    public record LockUsage(
            Use use,
            Optional<Duration> timeout,
            Duration commandTimeout,
            boolean isForAll,
            boolean isKeptAlive,
            Optional<Duration> handover) {
        private static final Duration USUAL = Duration.ofSeconds(2);

        /** All workers acquire the one lock. */
        public static final LockUsage ALONE =
                new LockUsage(Use.ALONE, Optional.empty(), USUAL, true, true, Optional.empty());

        /** The kind of acquisition of a worker. */
        public enum Use {
            /** The one lock. */
            ALONE,
            /** The one lock, with fair requests. */
            IN_ORDER,
            /** The one lock, reentrantly, as an owner shared with other workers of the client. */
            REENTRANT,
            /** The one lock, as the role of a leader election. */
            LEAD,
            /** As {@link #LEAD}; a new leader waits for a lease before it leads. */
            LEAD_SETTLED,
            /** Several locks, all or none. */
            SEVERAL,
            /** Several locks, one after the other, each worker in its own order: a mistake, for tests. */
            ONE_BY_ONE
        }

        /**
         * Returns a usage that only this library has.
         *
         * @param use the kind of acquisition
         */
        public static LockUsage of(Use use) {
            return new LockUsage(use, Optional.empty(), USUAL, false, true, Optional.empty());
        }

        /**
         * Returns this usage with another wait of an acquisition.
         *
         * @param most how long one acquisition waits
         */
        public LockUsage timeout(Duration most) {
            return new LockUsage(use, Optional.of(most), commandTimeout, isForAll, isKeptAlive, handover);
        }

        /** Returns this usage with another command timeout. */
        public LockUsage commandTimeout(Duration limit) {
            return new LockUsage(use, timeout, limit, isForAll, isKeptAlive, handover);
        }

        /** Returns this usage without renewals. */
        public LockUsage withoutKeepAlive() {
            return new LockUsage(use, timeout, commandTimeout, isForAll, false, handover);
        }

        /** Returns this usage with a bound on hand-overs. */
        public LockUsage handover(Duration median) {
            return new LockUsage(use, timeout, commandTimeout, isForAll, isKeptAlive, Optional.of(median));
        }
    }
}
