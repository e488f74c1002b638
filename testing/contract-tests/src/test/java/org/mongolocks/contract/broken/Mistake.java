package org.mongolocks.contract.broken;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.spi.LockStrategy;

/** A deliberate mistake of a strategy or a client, which some rule must detect. */
interface Mistake {
    /** Returns the strategy with this mistake. */
    default LockStrategy in(LockStrategy strategy) {
        return strategy;
    }

    /** Configures a client with this mistake. */
    default void in(LockClientBuilder<?> builder) {}

    /** Opens the route to the server on which this mistake is made. */
    default ProxyRoute detour(String uri, boolean retryWrites) {
        return ProxyRoute.to(uri, retryWrites);
    }

    /** Returns the client with this mistake. */
    default BlockingLocks in(BlockingLocks locks) {
        return locks;
    }

    static Mistake strategy(UnaryOperator<LockStrategy> broken) {
        return new Mistake() {
            @Override
            public LockStrategy in(LockStrategy strategy) {
                return broken.apply(strategy);
            }
        };
    }

    static Mistake configuring(Consumer<LockClientBuilder<?>> wrong) {
        return new Mistake() {
            @Override
            public void in(LockClientBuilder<?> builder) {
                wrong.accept(builder);
            }
        };
    }

    static Mistake locks(UnaryOperator<BlockingLocks> broken) {
        return new Mistake() {
            @Override
            public BlockingLocks in(BlockingLocks locks) {
                return broken.apply(locks);
            }
        };
    }

    static Mistake acquiring(Acquiring wrong) {
        return locks(locks -> new ForwardingLocks(locks) {
            @Override
            public Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException {
                return wrong.acquire(locks, request);
            }
        });
    }

    static Mistake held(UnaryOperator<BlockingLock> broken) {
        return acquiring((locks, request) -> locks.tryAcquire(request).map(broken));
    }

    static Mistake renewing(Call wrong) {
        return acquiring((locks, request) -> locks.tryAcquire(request).map(lock -> new LockWithAMistake(lock) {
            @Override
            public boolean renew() throws InterruptedException {
                return wrong.call(locks, lock, this::tell);
            }
        }));
    }

    static Mistake releasing(Call wrong) {
        return acquiring((locks, request) -> locks.tryAcquire(request).map(lock -> new LockWithAMistake(lock) {
            @Override
            public boolean release() {
                try {
                    return wrong.call(locks, lock, this::tell);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }));
    }

    /** Acquires a lock on a correct client. */
    @FunctionalInterface
    interface Acquiring {
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException;
    }

    /** Renews or releases a correct lock of a correct client, and may notify the listeners of the lock. */
    @FunctionalInterface
    interface Call {
        boolean call(BlockingLocks locks, BlockingLock lock, Consumer<LossReason> listeners)
                throws InterruptedException;
    }

    /**
     * A line of a table.
     *
     * @param name what the client does wrong
     * @param mistake makes the client do so
     * @param rules the rules that must fail
     */
    record Row(String name, Mistake mistake, List<String> rules) {
        static Row of(String name, Mistake mistake, String... rules) {
            return new Row(name, mistake, List.of(rules));
        }
    }
}
