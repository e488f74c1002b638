package org.mongolocks.study.matrix;

import static org.mongolocks.study.matrix.Mistake.client;
import static org.mongolocks.study.matrix.Mistake.instead;
import static org.mongolocks.study.matrix.Mistake.published;
import static org.mongolocks.study.matrix.Mistake.row;
import static org.mongolocks.study.matrix.Mistake.strategy;
import static org.mongolocks.study.matrix.Mistake.twin;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Failed;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.study.check.Checker;
import org.mongolocks.study.check.Checker.Verdict;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.scenario.Scenarios;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.config.Environment.Callbacks;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.LockUsage.Use;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.technique.ClientMistake;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** For each row of the matrix a mistake that it finds, and no row before it finds in the same way. */
final class Mistakes {
    private static final long TWO_LEASES_AND_A_HALF = Duration.ofSeconds(25).toNanos();
    /** A lock is free, or could be, for almost a lease, although clients wait for it. */
    private static final Predicate<Verdict> WAITS_FOR_A_LEASE =
            verdict -> verdict.longestHandoffNanos() >= MatrixTest.MAX_HANDOFF.toNanos();

    private static final Predicate<Verdict> RECOVERS_LATE =
            verdict -> verdict.recoveriesNanos().stream().anyMatch(nanos -> nanos > TWO_LEASES_AND_A_HALF);

    static final List<Entry> TABLE = List.of(
            entry("healthy", 0, "grants a held lock", twin("grants held locks"), Finding.HELD_TWICE),
            entry("holder-crash", 0, "has no leases", published("textbook-flag-update"), Finding.LEAK),
            entry(
                    "ttl-late",
                    0,
                    "leaves the end of a lease to the TTL monitor",
                    published("textbook-unique-insert-ttl"),
                    Finding.LEAK),
            entry("holder-pause", 1, "ignores the end of its lease", strategy(Believing::new), Finding.BELIEVED_TWICE),
            entry("late-write", 0, "does not count grants", twin("does not count"), Finding.STALE_TOUCH_FENCED),
            entry(
                    "long-work",
                    0,
                    "sends no renewal",
                    row(row -> row.with(row.usage().withoutKeepAlive())),
                    Finding.LOCK_LOST),
            entry(
                    "client-ahead",
                    0,
                    "compares leases with its own clock",
                    twin("acquires by the client's clock"),
                    Finding.HELD_TWICE),
            entry(
                    "client-behind",
                    0,
                    "begins its lease by its own clock",
                    client(rewriting("/acquire-or-extend", "(?<=\"renewedAt\": )\"\\$\\$NOW\"", "@clock")),
                    Finding.HELD_TWICE),
            entry(
                    "server-ahead",
                    0,
                    "trusts the server's clock",
                    instead("optimistic-version", "optimistic-version-clock-free"),
                    Finding.HELD_TWICE),
            entry(
                    "server-ahead",
                    0,
                    "does not touch the lock in a transaction",
                    client(received(
                            Purpose.GUARD,
                            op -> op.label().endsWith("/renew"),
                            reply -> reply instanceof Reply.Counted ? new Reply.Counted(1, false) : reply)),
                    Finding.STALE_GUARDED),
            entry(
                    "server-behind",
                    0,
                    "trusts the server's clock",
                    instead("optimistic-version", "optimistic-version-clock-free"),
                    RECOVERS_LATE),
            entry(
                    "server-to-and-fro",
                    0,
                    "moves the end of a lease back",
                    client(rewriting(
                            "/renew",
                            Pattern.quote("{\"$max\": [\"$renewedAt\", \"$$NOW\"]}, \"leaseMs\": {\"$max\":"
                                    + " [{\"$numberLong\": \"10000\"}, {\"$subtract\": [{\"$add\": [\"$renewedAt\","
                                    + " \"$leaseMs\"]}, {\"$max\": [\"$renewedAt\", \"$$NOW\"]}]}]}"),
                            "\"$$NOW\", \"leaseMs\": {\"$numberLong\": \"10000\"}")),
                    Finding.BELIEVED_TWICE),
            entry(
                    "acquire-lost",
                    0,
                    "retries with another owner",
                    strategy(OwnerOfEachAttempt::new),
                    WAITS_FOR_A_LEASE),
            entry("duplicates", 0, "releases any grant", twin("releases any grant"), Finding.HELD_TWICE),
            entry(
                    "release-lost",
                    0,
                    "takes a release without a reply for done",
                    client(received(Purpose.RELEASE, op -> true, Mistakes::asDone)),
                    WAITS_FOR_A_LEASE),
            entry(
                    "late-retry",
                    0,
                    "compensates nothing",
                    strategy("transactional", NotCompensating::new),
                    Finding.LEAK),
            entry(
                    "failover",
                    0,
                    "waits for no majority",
                    row(row -> row.with(row.environment().weak())),
                    Finding.HELD_TWICE),
            entry(
                    "divided",
                    0,
                    "waits for no majority",
                    row(row -> row.with(row.environment().weak())),
                    Finding.GUARDED_LOST),
            entry(
                    "election-renewal",
                    2,
                    "does not compare lease ids",
                    client(
                            "optimistic-version-clock-free",
                            received(Purpose.ACQUIRE, op -> true, reply -> without("leaseId", reply))),
                    Finding.HELD_TWICE),
            entry(
                    "election-force-release",
                    0,
                    "force-releases any holder",
                    client(rewriting(
                            "/force-release",
                            ", \"owner\": \"[^\"]*\"|, \"(fence|rev)\": \\{[^}]*\\}|, \"renewedAt\": \\{\"\\$date\":"
                                    + " \\{[^}]*\\}\\}",
                            "")),
                    Finding.FOREIGN_RELEASE),
            entry(
                    "router-clocks",
                    1,
                    "has routers whose clocks differ by more than the skew margin",
                    row(row -> row.with(row.environment()
                            .routers(row.environment().routers().stream()
                                    .map(ahead -> ahead.multipliedBy(300))
                                    .toList()))),
                    Finding.BELIEVED_TWICE),
            entry(
                    "late-events",
                    0,
                    "does not read since when a lock is free",
                    client(received(Purpose.ACQUIRE, op -> true, reply -> without("releasedAt", reply))),
                    Finding.SLOW_HANDOVER),
            entry("late-opening", 0, "looks only when it is notified", client(new Notified()), Finding.HAND_OVER_LATE),
            entry("interrupted", 0, "compensates nothing", strategy(NotCompensating::new), WAITS_FOR_A_LEASE),
            entry(
                    "release-pending",
                    2,
                    "takes a compensation without a reply for done",
                    client(received(Purpose.ACQUIRE, op -> op.label().endsWith("/release"), Mistakes::asDone)),
                    WAITS_FOR_A_LEASE),
            entry(
                    "several",
                    0,
                    "acquires one lock after another",
                    row(row -> row.usage().use() == Use.SEVERAL ? row.with(used(row.usage(), Use.ONE_BY_ONE)) : row),
                    Finding.STUCK),
            entry("several-crash", 2, "never takes over", twin("never takes over"), Finding.STUCK),
            entry("in-order", 0, "ignores the list of waiters", client(claimTime(0)), Finding.OUT_OF_TURN),
            entry(
                    "in-order-crash",
                    1,
                    "passes a dead waiter after nine seconds",
                    client(claimTime(9_000)),
                    WAITS_FOR_A_LEASE),
            entry(
                    "reentrant",
                    0,
                    "treats all owners of a client as one",
                    client(new ClientMistake() {
                        @Override
                        public int owner(int owner) {
                            return 1;
                        }
                    }),
                    Finding.MISCOUNTED),
            entry("leader-pause", 0, "ignores the end of its lease", strategy(Believing::new), Finding.LED_TWICE),
            entry(
                    "leader-cut-off",
                    2,
                    "takes a renewal without a reply for done",
                    client(received(Purpose.RENEW, op -> true, Mistakes::asDone)),
                    Finding.LED_TWICE),
            entry(
                    "leader-forced",
                    0,
                    "does not settle",
                    row(row -> row.with(used(row.usage(), Use.LEAD))),
                    Finding.LED_TWICE),
            entry(
                    "orphaned-transaction",
                    0,
                    "takes a missing reply for a refusal",
                    client(received(Purpose.ACQUIRE, op -> true, reply -> refused(Fault.AMBIGUOUS, reply))),
                    Finding.ACQUIRE_FAILED),
            entry(
                    "pool-of-one",
                    0,
                    "gives up before the stream leaves the connection",
                    row(row -> row.with(row.usage().commandTimeout(Duration.ofMillis(100)))),
                    Finding.ACQUIRE_FAILED),
            entry("clean-up", 0, "begins tokens at one", twin("begins at one"), Finding.TOKEN_WENT_BACK),
            entry(
                    "restored-backup",
                    0,
                    "raises no token after the restore",
                    client(
                            "optimistic-version",
                            rewriting("/raise-tokens", "^\\{\"_id\": ", "{\"none\": true, \"_id\": ")),
                    Finding.TOKEN_WENT_BACK),
            entry(
                    "dropped-collection",
                    0,
                    "is not notified of a drop",
                    row(row -> row.with(row.environment().withoutChangeStreams())),
                    Finding.LOSS_NOTICED_LATE),
            entry(
                    "upsert-race",
                    1,
                    "takes a duplicate key for a refusal",
                    client(
                            "optimistic-version",
                            received(Purpose.ACQUIRE, op -> true, reply -> refused(Fault.DUPLICATE_KEY, reply))),
                    Finding.ACQUIRE_FAILED),
            entry(
                    "stale-connections",
                    0,
                    "takes a failed renewal for a loss",
                    client(received(
                            Purpose.RENEW,
                            op -> op.label().endsWith("/renew"),
                            reply -> reply instanceof Failed ? new Reply.Counted(0, false) : reply)),
                    Finding.LOCK_LOST),
            entry(
                    "full-executors",
                    0,
                    "reports a loss only by a callback",
                    row(row -> row.environment().callbacks() == Callbacks.BLOCK
                            ? row.with(row.environment().callbacks(Callbacks.BLOCK_LOSSES))
                            : row),
                    Finding.LOSS_NOTICED_LATE),
            entry(
                    "suspended-machine",
                    4,
                    "does not count the time of a suspend",
                    row(row -> row.with(ClockFault.OMITS_SUSPENDS)),
                    Finding.BELIEVED_TWICE),
            entry(
                    "many-clients",
                    0,
                    "polls at a fixed interval",
                    new Mistake(
                            published("textbook-counter-expiry").wrong(),
                            published("textbook-counter-expiry").right(),
                            row -> row.with(LockUsage.ALONE)),
                    Finding.STARVED));

    private Mistakes() {}

    /**
     * A mistake that a row finds.
     *
     * @param scenario the name of the row
     * @param seed the seed of a run that finds it
     * @param sign tells whether a run has found it
     */
    record Entry(String scenario, long seed, String name, Mistake mistake, Predicate<Verdict> sign) {
        /** Returns whether a row shows the sign with the mistake, and not without it. */
        boolean isFoundBy(Scenario row) {
            Scenario changed = mistake.row().apply(row);
            return changed.isFor(mistake.wrong())
                    && isShown(changed, mistake.wrong())
                    && !isShown(row, mistake.right());
        }

        Scenario row() {
            return Scenarios.all().stream()
                    .filter(each -> each.name().equals(scenario))
                    .findFirst()
                    .orElseThrow();
        }

        private boolean isShown(Scenario row, Technique technique) {
            return sign.test(Checker.check(
                    Simulation.run(row, technique, seed).history(), Matrix.claimsOf(technique), row.bounds()));
        }

        @Override
        public String toString() {
            return scenario + ": " + name;
        }
    }

    private static Entry entry(String scenario, long seed, String name, Mistake mistake, Finding found) {
        return entry(scenario, seed, name, mistake, verdict -> verdict.has(found));
    }

    private static Entry entry(String scenario, long seed, String name, Mistake mistake, Predicate<Verdict> sign) {
        return new Entry(scenario, seed, name, mistake, sign);
    }

    /** Returns a mistake that replaces a part of each command with a label. */
    private static ClientMistake rewriting(String label, String right, String wrong) {
        return new Twin("", "", label, Pattern.compile(right), wrong, Set.of());
    }

    /** Returns the mistake to grant a lock past a waiter after another time. */
    private static ClientMistake claimTime(int millis) {
        return rewriting(
                "/acquire-or-extend",
                Pattern.quote("{\"$numberLong\": \"250\"}"),
                "{\"$numberLong\": \"" + millis + "\"}");
    }

    private static ClientMistake received(Purpose which, Predicate<MongoOp> ops, UnaryOperator<Reply> wrong) {
        return new ClientMistake() {
            @Override
            public Reply received(Purpose purpose, MongoOp op, Reply reply) {
                return purpose == which && ops.test(op) ? wrong.apply(reply) : reply;
            }
        };
    }

    private static Reply asDone(Reply reply) {
        return reply instanceof Failed ? new Reply.Counted(1, false) : reply;
    }

    private static Reply refused(Fault fault, Reply reply) {
        return reply instanceof Failed failed && failed.fault() == fault
                ? new Failed(Fault.REJECTED, failed.cause())
                : reply;
    }

    private static Reply without(String field, Reply reply) {
        return reply instanceof Reply.Found found
                ? new Reply.Found(found.document().map(stored -> {
                    BsonDocument rest = stored.clone();
                    rest.remove(field);
                    return rest;
                }))
                : reply;
    }

    private static LockUsage used(LockUsage usage, Use use) {
        return new LockUsage(
                use, usage.timeout(), usage.commandTimeout(), usage.isForAll(), usage.isKeptAlive(), usage.handover());
    }

    /** Waits for an event for a whole lease. */
    private record Notified() implements ClientMistake {
        @Override
        public Duration pause(Duration delay, boolean isWaiting) {
            return isWaiting ? Techniques.TTL : delay;
        }
    }

    /** Believes that its lease lasts an hour longer. */
    private static final class Believing extends ForwardingStrategy {
        Believing(LockStrategy strategy) {
            super(strategy);
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            return super.acquire(context).andThen(outcome -> Step.done(longer(outcome)));
        }

        private static LockOutcome longer(LockOutcome outcome) {
            return outcome instanceof LockOutcome.Acquired acquired
                    ? new LockOutcome.Acquired(longer(acquired.lease()), acquired.waiters(), acquired.freeFor())
                    : outcome;
        }

        private static Lease longer(Lease lease) {
            long later = lease.validUntilNanos() + Duration.ofHours(1).toNanos();
            return new Lease(lease.name(), lease.owner(), lease.fencingToken(), lease.ttl(), later);
        }
    }

    private static final class NotCompensating extends ForwardingStrategy {
        NotCompensating(LockStrategy strategy) {
            super(strategy);
        }

        @Override
        public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
            return fencingToken.isEmpty() ? Step.done(false) : super.release(name, owner, fencingToken);
        }
    }

    /** Makes each attempt of an acquisition as another owner. */
    private static final class OwnerOfEachAttempt extends ForwardingStrategy {
        private long attempts;

        OwnerOfEachAttempt(LockStrategy strategy) {
            super(strategy);
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            Owner other = new Owner(context.owner().instance(), new UUID(0, ++attempts));
            return super.acquire(AcquireContext.of(context.name(), other, context.ttl(), context.startedNanos())
                    .previous(context.previous())
                    .lastSeen(context.lastSeen())
                    .holderInfo(context.holderInfo())
                    .releasedRevision(context.releasedRevision())
                    .waiter(context.waiter()));
        }
    }
}
