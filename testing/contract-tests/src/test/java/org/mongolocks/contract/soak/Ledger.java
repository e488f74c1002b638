package org.mongolocks.contract.soak;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Checks the grants of one lock. A hold lasts from the return of the acquisition to the last time at which the holder
 * checked that it held the lock: two holds never overlap. An acquisition that begins after another has returned gets a
 * larger token. Thread-safe.
 */
final class Ledger {
    private static final int KEPT = 256;

    private final String lock;
    private final Findings findings;
    private final Deque<Held> recent = new ArrayDeque<>();
    private long newest = Long.MIN_VALUE;

    private record Held(long token, long sinceNanos, long untilNanos) {
        boolean overlaps(Held other) {
            return sinceNanos - other.untilNanos < 0 && other.sinceNanos - untilNanos < 0;
        }
    }

    Ledger(String lock, Findings findings) {
        this.lock = lock;
        this.findings = findings;
    }

    /** Returns the largest token of any grant that has returned; to be read before an acquisition begins. */
    synchronized long newest() {
        return newest;
    }

    /** Records a grant, and the largest token known when its acquisition began. */
    synchronized void granted(long token, long newestBefore) {
        if (token <= newestBefore) {
            findings.violated(lock + ": token " + token + " was granted after token " + newestBefore);
        }
        newest = Math.max(newest, token);
    }

    /** Records a hold that has ended. */
    synchronized void held(long token, long sinceNanos, long untilNanos) {
        Held held = new Held(token, sinceNanos, untilNanos);
        recent.stream()
                .filter(other -> other.overlaps(held) || other.token() == token)
                .forEach(other -> findings.violated(lock + ": tokens " + other.token() + " and " + token
                        + " were held at once, for " + millisTogether(held, other) + " ms"));
        recent.addLast(held);
        if (recent.size() > KEPT) {
            recent.removeFirst();
        }
    }

    private static long millisTogether(Held one, Held other) {
        long since = Math.max(one.sinceNanos(), other.sinceNanos());
        return (Math.min(one.untilNanos(), other.untilNanos()) - since) / 1_000_000;
    }
}
