package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.LockRequest;
import org.mongolocks.SchemaMode;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/**
 * A check of the whole life of a lock with each strategy: grant, contention, renewal, release, takeover after a lease.
 */
final class LockLifeCheck extends Check {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** How long a lease is at least, in times that the steps before it took: a grant whose reply comes later is useless. */
    private static final int STEPS_PER_LEASE = 2;

    private static final Duration WAIT = Duration.ofSeconds(10);

    LockLifeCheck() {
        super("lock-life", Promise.OPERATION, Promise.EXCLUSION, Promise.TOKENS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) throws InterruptedException {
        Stream.Builder<CheckResult> findings = Stream.builder();
        for (LockStrategy strategy : deployment.strategies()) {
            findings.add(live(deployment, strategy, deployment.client(), strategy.name()));
        }
        return findings.build();
    }

    /** Runs the life of a lock with a client of the driver, in a scratch collection of the given name. */
    CheckResult live(Deployment deployment, LockStrategy strategy, MongoClient client, String collection)
            throws InterruptedException {
        Scratch scratch = deployment.scratch();
        String base = scratch.name(collection);
        for (LockCollection other : strategy.schema().collections()) {
            if (!other.name().equals(LockSchema.LOCKS)) {
                scratch.name(collection + "." + other.name());
            }
        }
        Set<String> one = Set.of(strategy.name());
        try (LockClient locks = LockClient.builder(client, deployment.database().getName())
                .strategy(strategy)
                .collection(base)
                .schema(SchemaMode.NONE)
                .build()) {
            return live(locks, strategy.name());
        } catch (RuntimeException e) {
            String refusal = e.getCause() instanceof MongoException cause ? Errors.refusedWrite(cause) : null;
            return refusal == null
                    ? broken(Promise.OPERATION, strategy.name(), Errors.text(e))
                    : finding(Status.UNSEEN, one, refusal);
        }
    }

    private CheckResult live(LockClient locks, String strategy) throws InterruptedException {
        long begunNanos = System.nanoTime();
        Optional<HeldLock> first = locks.tryAcquire(LockRequest.of("x", LONG).fixedLease());
        if (first.isEmpty()) {
            return broken(Promise.OPERATION, strategy, "a free lock was denied");
        }
        if (locks.tryAcquire(LockRequest.of("x", LONG).fixedLease()).isPresent()) {
            return broken(Promise.EXCLUSION, strategy, "a held lock was granted to another");
        }
        if (!first.get().renew() || !first.get().release()) {
            return broken(Promise.OPERATION, strategy, "a held lock could not be renewed or released");
        }
        Duration lease = leaseAfter(Duration.ofNanos(System.nanoTime() - begunNanos));
        Optional<HeldLock> second =
                locks.tryAcquire(LockRequest.of("x", lease).fixedLease().waitAtMost(WAIT));
        if (second.isEmpty()) {
            return broken(Promise.OPERATION, strategy, "a lock that was released was denied");
        }
        Optional<HeldLock> third =
                locks.tryAcquire(LockRequest.of("x", LONG).fixedLease().waitAtMost(lease.plus(WAIT)));
        if (third.isEmpty()) {
            return broken(
                    Promise.OPERATION,
                    strategy,
                    "a lock was denied " + WAIT.toSeconds() + " s after its lease had ended");
        }
        boolean grow = first.get().fencingToken() < second.get().fencingToken()
                && second.get().fencingToken() < third.get().fencingToken();
        third.get().close();
        return grow
                ? finding(
                        Status.OK,
                        Set.of(strategy),
                        "a lock of " + strategy
                                + " was granted, denied to another, renewed, released and taken over after its lease")
                : broken(Promise.TOKENS, strategy, "its tokens do not grow");
    }

    /** The first commands in a cluster that has just been started may take seconds. */
    private static Duration leaseAfter(Duration steps) {
        Duration lease = Duration.ofMillis(steps.toMillis() * STEPS_PER_LEASE);
        return lease.compareTo(SHORT) > 0 ? lease : SHORT;
    }

    private CheckResult broken(Promise promise, String strategy, String seen) {
        return new CheckResult(
                id(),
                Status.BROKEN,
                strategy + ": " + seen,
                Set.of(promise),
                Set.of(strategy),
                List.of("Do not use " + strategy + " on this server, unless what check " + id()
                        + " names can be fixed."));
    }
}
