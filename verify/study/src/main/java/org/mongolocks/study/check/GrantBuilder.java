package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.List;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.check.Grant.Release;
import org.mongolocks.study.history.Event;

/** Follows one acquisition through a history. */
final class GrantBuilder {
    /** The assumed difference in rate between the clocks of holder and server: both wrong by NTP's largest slew. */
    private static final double RATE = 0.999;

    private final Event invoked;
    private final List<Interval> pauses;
    private Event ok;
    private long leaseFromNanos;
    private long untilNanos;
    private long endNanos = Long.MAX_VALUE;
    private long crashedNanos = Long.MAX_VALUE;
    private Release release = Release.NONE;
    private boolean granted;

    GrantBuilder(Event invoked, List<Interval> pausesOfProcess) {
        this.invoked = invoked;
        this.ok = invoked;
        this.pauses = pausesOfProcess;
    }

    boolean isGranted() {
        return granted;
    }

    int process() {
        return invoked.process();
    }

    void take(Event event) {
        switch (event.op()) {
            case ACQUIRE -> acquire(event);
            case RENEW -> renew(event);
            case RELEASE -> release(event);
            case LOST -> endNanos = Math.min(endNanos, event.atNanos());
            default -> {}
        }
    }

    void crashed(long atNanos) {
        crashedNanos = Math.min(crashedNanos, atNanos);
    }

    Grant build(Claims claims, long ttlNanos) {
        long heldUntil = Math.min(release.invokedNanos(), endNanos);
        long leaseEnd = claims.hasLease() ? leaseFromNanos + Math.round(ttlNanos * RATE) : Long.MAX_VALUE;
        long believedUntil = Math.min(Math.min(heldUntil, untilNanos), crashedNanos);
        return new Grant(
                ok.grant(),
                ok.process(),
                ok.token(),
                ok.commit(),
                invoked.atNanos(),
                ok.atNanos(),
                Math.min(heldUntil, leaseEnd),
                awake(ok.atNanos(), believedUntil),
                release);
    }

    private void acquire(Event event) {
        if (event.phase() == Event.Phase.OK) {
            granted = true;
            ok = event;
            leaseFromNanos = event.fromNanos();
            untilNanos = event.untilNanos();
        }
    }

    private void renew(Event event) {
        if (event.phase() == Event.Phase.OK) {
            leaseFromNanos = Math.max(leaseFromNanos, event.fromNanos());
            untilNanos = Math.max(untilNanos, event.untilNanos());
        }
    }

    private void release(Event event) {
        if (event.phase() == Event.Phase.INVOKE) {
            release = new Release(Math.min(release.invokedNanos(), event.atNanos()), Long.MAX_VALUE, 0);
        } else {
            long commit = event.phase() == Event.Phase.OK ? event.commit() : 0;
            release = new Release(release.invokedNanos(), event.atNanos(), commit);
        }
    }

    /** Removes the pauses of the process, in which it cannot act. */
    private List<Interval> awake(long fromNanos, long untilNanos) {
        List<Interval> result = new ArrayList<>();
        long from = fromNanos;
        for (Interval pause : pauses) {
            if (pause.untilNanos() > from && pause.fromNanos() < untilNanos) {
                add(result, from, pause.fromNanos());
                from = Math.max(from, pause.untilNanos());
            }
        }
        add(result, from, untilNanos);
        return result;
    }

    private void add(List<Interval> to, long fromNanos, long untilNanos) {
        if (fromNanos < untilNanos) {
            to.add(new Interval(ok.grant(), fromNanos, untilNanos));
        }
    }
}
