package org.mongolocks.contract.soak;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Judges the grants of one lock. A hold counts from when its holder was told of it to when the holder last looked and
 * found that it holds the lock: two such times never overlap. Whoever asks after another was told of a grant gets a larger
 * token. Thread-safe.
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

    /** Gives the largest token of which anybody was told; to be asked before a question is. */
    synchronized long newest() {
        return newest;
    }

    /** Notes a grant, and what was known when it was asked for. */
    synchronized void granted(long token, long newestBefore) {
        if (token <= newestBefore) {
            findings.violated(lock + ": token " + token + " was granted after token " + newestBefore);
        }
        newest = Math.max(newest, token);
    }

    /** Notes a hold that has ended. */
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
