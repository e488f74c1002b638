package org.mongolocks.study.exhaustive;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.exhaustive.Twin.Slip;
import org.mongolocks.study.technique.Technique;

/**
 * A world that is small enough to be searched whole: some clients that want one lock, and what may happen to them.
 *
 * @param technique the strategy of all clients
 * @param twin the mistake that it has; null for none
 * @param clients how many clients there are
 * @param script what each client does
 * @param faults the kinds of faults that may happen
 * @param maxAttempts how often a client attempts what fails
 * @param maxFaults how many faults may happen, anywhere
 * @param maxMoments how often time may pass; between that, everything happens at one moment
 */
public record SmallWorld(
        String name,
        Technique technique,
        @Nullable Twin twin,
        int clients,
        List<Action> script,
        Set<Fault> faults,
        int maxAttempts,
        int maxFaults,
        int maxMoments) {
    /** The wall clock of the second client, and of each that follows, is ahead by as much again. */
    static final Duration WRONG_BY = Duration.ofHours(1);

    /** Copies the script and the faults. */
    public SmallWorld {
        script = List.copyOf(script);
        faults = Set.copyOf(faults);
    }

    /** Returns the world of a client that comes after all others, and waits. */
    SmallWorld ofOneThatComesLate() {
        return new SmallWorld(name, technique, twin, 1, List.of(Action.AWAIT), Set.of(), maxAttempts, 0, 0);
    }

    SmallWorld with(Twin mistake) {
        return new SmallWorld(name, technique, mistake, clients, script, faults, maxAttempts, maxFaults, maxMoments);
    }

    boolean has(Slip slip) {
        return twin != null && twin.has(slip);
    }

    /** What a client does. What needs the lock is left out if it was not granted. */
    public enum Action {
        /** Tries to acquire, without waiting. */
        ACQUIRE,
        /** Acquires, and waits for it, for some leases. */
        AWAIT,
        /** Writes to a resource that refuses smaller tokens, if it believes that it holds the lock. */
        WRITE,
        /** Renews, if it believes that it holds the lock. */
        RENEW,
        /** Releases. */
        RELEASE
    }

    /** What may go wrong. */
    public enum Fault {
        /** A request gets no reply in time, and its client gives it up; it may arrive later, or never. */
        TIMEOUT,
        /** A connection breaks, and the driver sends the request again if it does so; the first may arrive later, or never. */
        RESET,
        /** A reply comes later: when time has passed. */
        SLOW,
        /** A request that a driver or a router may repeat arrives a second time, later, or never. */
        DUPLICATE,
        /** A statement of a transaction arrives a second time, which no driver or router is known to cause. */
        DUPLICATE_STATEMENT,
        /** A client ends; its last request may arrive later, or never. */
        CRASH,
        /** Another member becomes primary; it has all writes, but knows neither open transactions nor numbers without a write. */
        ELECTION,
        /** A write reaches no majority: it is seen, but not acknowledged, until it does or an election undoes it. */
        LAG,
        /** The server's clock is set back by a ttl. */
        CLOCK_BACK,
        /** The server's clock is set ahead by a ttl. */
        CLOCK_AHEAD,
        /** No fault: time passes until documents that were not used may be deleted, which happens at any moment from then on. */
        CLEAN_UP
    }
}
