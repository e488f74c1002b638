package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;

/** Tests that a contended attempt returns the remaining time of the lease, so that a waiter knows when to try again. */
@ExtendWith(DroppedDatabase.class)
class EndOfLeaseTest {
    private static final Duration TTL = Duration.ofMinutes(1);

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void contendedOutcomeHasTheRemainingTimeForEveryLastKnownState(String name) throws Exception {
        LockStrategy strategy = Shipped.supported(name);
        for (Driver driver : Driver.values()) {
            for (LastKnownState seen : LastKnownState.values()) {
                LockSnapshot holder = contended(driver, strategy, seen);

                assertThat(holder.remaining().orElseThrow())
                        .as("%s, after %s", driver, seen)
                        .isBetween(TTL.dividedBy(2), TTL.plus(TTL.dividedBy(10)));
            }
        }
    }

    private static LockSnapshot contended(Driver driver, LockStrategy strategy, LastKnownState seen) throws Exception {
        LockName lock = LockName.of("end-of-lease-" + UUID.randomUUID());
        Witnessed witnessed = new Witnessed(strategy, seen);
        try (BlockingLocks holding = locks(driver, strategy);
                BlockingLocks asking = locks(driver, witnessed)) {
            assertThat(holding.tryAcquire(lock, TTL)).isPresent();
            assertThat(asking.tryAcquire(lock, TTL)).isEmpty();
        }
        assertThat(witnessed.holders).hasSize(1);
        return witnessed.holders.get(0);
    }

    private static BlockingLocks locks(Driver driver, LockStrategy strategy) throws InterruptedException {
        DriverClients connection = DriverClients.shared(ServerFinder.found().uri());
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(strategy).collection("locks." + strategy.name()));
    }

    /** A strategy that records the owner in each reply, with a client that caches what it has read. */
    private static final class Witnessed extends ForwardingStrategy {
        private final List<LockSnapshot> holders = new CopyOnWriteArrayList<>();
        private final LastKnownState seen;

        Witnessed(LockStrategy strategy, LastKnownState seen) {
            super(strategy);
            this.seen = seen;
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            AcquireContext remembered = AcquireContext.of(
                            context.name(), context.owner(), context.ttl(), context.startedNanos())
                    .previous(context.previous())
                    .lastSeen(seen)
                    .holderInfo(context.holderInfo());
            return super.acquire(remembered).andThen(outcome -> {
                if (outcome instanceof LockOutcome.Contended contended) {
                    holders.add(contended.lock());
                }
                return Step.done(outcome);
            });
        }
    }
}
