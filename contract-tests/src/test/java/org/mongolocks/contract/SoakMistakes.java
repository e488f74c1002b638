package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Has mistakes that a soak has to find. */
public final class SoakMistakes {
    private SoakMistakes() {}

    /** A strategy that grants what another holds. */
    public static LockStrategy takesWhatIsHeld() {
        return Mutation.TAKES_WHAT_IS_HELD.in(new FindAndModifyCounterStrategy());
    }

    /** A strategy whose tokens are all the same. */
    public static LockStrategy countsNothing() {
        return Mutation.DOES_NOT_COUNT.in(new FindAndModifyCounterStrategy());
    }

    /** A client that goes on when its lease has ended. */
    public static BlockingLocks ignoringLosses(BlockingLocks locks) {
        return new LocksInDisguise(locks) {
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                LockRequest shortest = new LockRequest(request.name(), LockRequest.MIN_TTL, request.waitAtMost());
                return super.acquire(shortest).map(Deaf::new);
            }
        };
    }

    /** A client that leaves a thread behind each time, until the test is over. */
    public static UnaryOperator<BlockingLocks> leavingThreads(CountDownLatch over) {
        return locks -> new LocksInDisguise(locks) {
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

    private static final class Deaf extends WorseLock {
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
