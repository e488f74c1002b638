package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Checker.Claims;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/**
 * A successful acquisition from its request to its end, as the history shows it.
 *
 * @param id the number of the acquisition in the run
 * @param commit its position in the order in which the server executed commands
 * @param invokedNanos when it was requested
 * @param okNanos when its holder got the reply
 * @param definiteEndNanos until when it was certainly held
 * @param believed the times in which its holder believed that it held the lock and could act
 */
record Grant(
        int id,
        int process,
        long token,
        long commit,
        long invokedNanos,
        long okNanos,
        long definiteEndNanos,
        List<Interval> believed,
        Release release) {
    /** Returns grants in an order; equal ones in that of their requests. */
    static List<Grant> sorted(List<Grant> grants, Comparator<Grant> order) {
        return grants.stream().sorted(order.thenComparingInt(Grant::id)).toList();
    }

    /**
     * The release of a grant.
     *
     * @param invokedNanos when it was requested; {@link Long#MAX_VALUE} if never
     * @param answeredNanos when the reply arrived
     * @param commit its position in the order in which the server executed commands; 0 if nothing is known to be
     *     released
     */
    record Release(long invokedNanos, long answeredNanos, long commit) {
        static final Release NONE = new Release(Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }

    /** A time interval that includes its beginning and excludes its end. */
    record Interval(int grant, long fromNanos, long untilNanos) {}

    /** Extracts the grants of a history, in one pass. */
    static final class Parser {
        private final Map<Integer, Builder> builders = new LinkedHashMap<>();
        private final Pauses pauses = new Pauses();

        private Parser() {}

        static List<Grant> of(History history, Claims claims) {
            Parser grants = new Parser();
            history.events().forEach(grants::take);
            return grants.builders.values().stream()
                    .filter(Builder::isGranted)
                    .map(builder -> builder.build(claims, history.ttlNanos()))
                    .toList();
        }

        private void take(Event event) {
            if (event.op() == Op.PAUSE) {
                pauses.take(event);
            } else if (event.op() == Op.CRASH) {
                builders.values().stream()
                        .filter(builder -> builder.process() == event.process())
                        .forEach(builder -> builder.crashed(event.atNanos()));
            } else if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
                builders.put(event.grant(), new Builder(event, pauses));
            } else if (event.grant() != 0) {
                builder(event).take(event);
            }
        }

        private Builder builder(Event event) {
            Builder builder = builders.get(event.grant());
            if (builder == null) {
                throw new IllegalArgumentException("No request for the grant of this event: " + event);
            }
            return builder;
        }
    }

    /** Follows one acquisition through a history. */
    static final class Builder {
        /** The assumed difference in rate between the clocks of holder and server: both wrong by NTP's largest slew. */
        private static final double RATE = 0.999;

        private final Event invoked;
        private final Pauses pauses;
        private final List<Long> confirmedNanos = new ArrayList<>();
        private Event ok;
        private long leaseFromNanos;
        private long untilNanos;
        private long endNanos = Long.MAX_VALUE;
        private long crashedNanos = Long.MAX_VALUE;
        private Release release = Release.NONE;
        private boolean granted;

        Builder(Event invoked, Pauses pauses) {
            this.invoked = invoked;
            this.ok = invoked;
            this.pauses = pauses;
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
                case CHECK -> check(event);
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
            List<Interval> believed = pauses.without(process(), new Interval(ok.grant(), ok.atNanos(), believedUntil));
            confirmedNanos.forEach(atNanos -> believed.add(new Interval(ok.grant(), atNanos, atNanos + 1)));
            return new Grant(
                    ok.grant(),
                    ok.process(),
                    ok.token(),
                    ok.commit(),
                    invoked.atNanos(),
                    ok.atNanos(),
                    Math.min(heldUntil, leaseEnd),
                    believed,
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

        /** A holder that is told that it holds the lock believes it, whenever its lease ended. */
        private void check(Event event) {
            if (event.phase() == Event.Phase.OK) {
                confirmedNanos.add(event.atNanos());
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
    }
}
