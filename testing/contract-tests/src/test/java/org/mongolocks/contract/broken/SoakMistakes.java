package org.mongolocks.contract.broken;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Mistakes that a soak run must detect. */
public final class SoakMistakes {
    private SoakMistakes() {}

    /** Returns a strategy that grants locks that are held. */
    public static LockStrategy grantsHeldLocks() {
        return Mutation.GRANTS_HELD_LOCKS.in(new FindAndModifyCounterStrategy());
    }

    /** Returns a strategy whose tokens are all equal. */
    public static LockStrategy countsNothing() {
        return Mutation.DOES_NOT_COUNT.in(new FindAndModifyCounterStrategy());
    }

    /** Returns a client that does not notice the end of a lease. */
    public static BlockingLocks ignoringLosses(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                LockRequest shortest = new LockRequest(request.name(), LockRequest.MIN_TTL, request.waitAtMost());
                return super.acquire(shortest).map(Deaf::new);
            }
        };
    }

    /** Returns clients that each leave a thread running until the test has ended. */
    public static UnaryOperator<BlockingLocks> leavingThreads(CountDownLatch over) {
        return locks -> new ForwardingLocks(locks) {
            @Override
            public void close() {
                super.close();
                Thread left = new Thread(() -> awaitUninterruptibly(over), "mongo-locks-left");
                left.setDaemon(true);
                left.start();
            }
        };
    }

    private static void awaitUninterruptibly(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Deaf extends LockWithAMistake {
        Deaf(BlockingLock lock) {
            super(lock);
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public Duration remaining() {
            return lease().ttl();
        }
    }
}
