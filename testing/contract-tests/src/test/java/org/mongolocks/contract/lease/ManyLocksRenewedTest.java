package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.event.ConnectionCheckOutFailedEvent;
import com.mongodb.event.ConnectionCheckOutStartedEvent;
import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionPoolListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.Lease;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of clients that keep many locks alive on a server whose replies are late. */
@ExtendWith(DroppedDatabase.class)
class ManyLocksRenewedTest {
    private static final Duration TTL = Duration.ofSeconds(12);
    /** First tries, and those that follow them: this strategy renews no lock at its first try. */
    private static final int MAX_IN_FLIGHT = 2 * 32;

    private static final int LOCKS = 200;
    private static final int ENOUGH_TO_HOLD = 32;

    private final ContractServer server = ServerFinder.found();
    private final String prefix = "renewed-" + UUID.randomUUID() + "-";
    private final Connections connections = new Connections();

    /** The number of connections that commands use or wait for. */
    private static final class Connections implements ConnectionPoolListener {
        private int now;
        private int most;

        @Override
        public synchronized void connectionCheckOutStarted(ConnectionCheckOutStartedEvent event) {
            most = Math.max(most, ++now);
        }

        @Override
        public synchronized void connectionCheckOutFailed(ConnectionCheckOutFailedEvent event) {
            now--;
        }

        @Override
        public synchronized void connectionCheckedIn(ConnectionCheckedInEvent event) {
            now--;
        }

        synchronized int most() {
            return most;
        }
    }

    /** A strategy that renews locks one by one. */
    private static final class OneByOne extends ForwardingStrategy {
        OneByOne() {
            super(new FindAndModifyCounterStrategy());
        }

        @Override
        public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
            return Optional.empty();
        }
    }

    /** Otherwise they would use up the connections of the driver's client. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void renewalsInFlightAreBounded(Driver driver) throws Exception {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        try (FaultyLocks faulty = FaultyLocks.on(
                ProxyRoute.to(
                        server.uri(),
                        settings -> settings.applyToConnectionPoolSettings(
                                pool -> pool.addConnectionPoolListener(connections))),
                driver,
                builder -> builder.strategy(new OneByOne()))) {
            List<BlockingLock> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(faulty.locks()
                        .tryAcquire(LockRequest.of(prefix + i, TTL))
                        .orElseThrow());
            }
            FaultRule renewals =
                    faulty.proxy().arm(CommandMatcher.atAll(List.of("update")), WireFault.holdReply(WireFault.none()));

            renewals.awaitCaught(ENOUGH_TO_HOLD);
            renewals.release();

            renewals.awaitCaught(LOCKS);
            assertThat(connections.most()).isLessThanOrEqualTo(MAX_IN_FLIGHT);
            assertThat(held).allMatch(BlockingLock::isHeld);
        }
    }
}
