package org.mongolocks.internal.acquire;

import java.util.List;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LastKnownState;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Step;

/**
 * The command or commands that try once to acquire what an acquisition is about: one lock, or several in one step. One
 * object serves one acquisition.
 */
sealed interface LockAttempt {
    /** Returns the request, for the first of the locks. */
    LockRequest request();

    /** Returns the names of all locks that may be granted to the owner. */
    List<LockName> names();

    /** Returns the program of one attempt. */
    Step<LockOutcome> program(AcquireContext context);

    /** Returns all grants of the newest attempt, given the one in its outcome. */
    List<Lease> grants(Lease first);

    /** An attempt to acquire one lock. */
    record ForOne(LockStrategy strategy, LockRequest request) implements LockAttempt {
        @Override
        public List<LockName> names() {
            return List.of(request.name());
        }

        @Override
        public Step<LockOutcome> program(AcquireContext context) {
            return strategy.acquire(context);
        }

        @Override
        public List<Lease> grants(Lease first) {
            return List.of(first);
        }
    }

    /** An attempt to acquire several locks in one step, for a strategy that supports it. */
    final class ForSeveral implements LockAttempt {
        private final LockStrategy strategy;
        private final MultiLockRequest request;
        private List<Lease> leases = List.of();

        ForSeveral(LockStrategy strategy, MultiLockRequest request) {
            this.strategy = strategy;
            this.request = request;
        }

        @Override
        public LockRequest request() {
            return request.forOne(request.names().get(0));
        }

        @Override
        public List<LockName> names() {
            return request.names();
        }

        @Override
        public Step<LockOutcome> program(AcquireContext first) {
            List<AcquireContext> contexts =
                    names().stream().map(name -> contextFor(name, first)).toList();
            return strategy.acquireAll(contexts)
                    .orElseThrow(() -> new IllegalStateException(
                            "Strategy '" + strategy.name() + "' has the trait MULTI_LOCK, but grants one by one"))
                    .andThen(this::answered);
        }

        /** All leases were requested at the same time, so they end at the same time. */
        @Override
        public List<Lease> grants(Lease first) {
            return leases.stream()
                    .map(lease -> new Lease(
                            lease.name(), lease.owner(), lease.fencingToken(), lease.ttl(), first.validUntilNanos()))
                    .toList();
        }

        private Step<LockOutcome> answered(MultiLockOutcome outcome) {
            if (outcome instanceof MultiLockOutcome.Acquired acquired) {
                leases = acquired.leases();
                return Step.done(new LockOutcome.Acquired(leases.get(0)));
            }
            return Step.done(new LockOutcome.Contended(((MultiLockOutcome.Contended) outcome).holder()));
        }

        /** The known state applies to the lock that was contended, or else to the first. */
        private static AcquireContext contextFor(LockName name, AcquireContext first) {
            LockName known =
                    first.previous().map(seen -> seen.snapshot().name()).orElse(first.name());
            return new AcquireContext(
                    name,
                    first.owner(),
                    first.ttl(),
                    first.startedNanos(),
                    first.previous().filter(seen -> seen.snapshot().name().equals(name)),
                    name.equals(known) ? first.lastSeen() : LastKnownState.UNKNOWN,
                    first.holder());
        }
    }
}
