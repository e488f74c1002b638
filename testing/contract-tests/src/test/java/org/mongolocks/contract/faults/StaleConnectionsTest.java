package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/**
 * Tests of renewals on pooled connections that a router between client and server has forgotten: they accept a command
 * and never answer, while new connections work.
 */
@ExtendWith(DroppedDatabase.class)
class StaleConnectionsTest {
    private static final Duration TTL = Duration.ofSeconds(12);
    /** Longer than the lease: a renewal that waited for it would have no second try. */
    private static final Duration COMMAND = Duration.ofSeconds(20);

    private static final int STALE = 4;
    private static final List<String> RENEWALS = List.of("update");

    private final ContractServer server = ServerFinder.found();
    private final LockRequest request = LockRequest.of("stale-" + UUID.randomUUID(), TTL);

    @BeforeEach
    void requireSight() {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aLockThatIsKeptAliveOutlivesThem(Driver driver) throws Exception {
        try (FaultyLocks faulty = faulty(driver)) {
            BlockingLock lock = faulty.locks().tryAcquire(request).orElseThrow();
            CountDownLatch renewedTwice = faulty.connection()
                    .sent()
                    .nextAnswered(STALE + 2, command -> RENEWALS.contains(command.getCommandName()));

            forget(faulty);

            renewedTwice.await();
            assertThat(lock.loss()).isEmpty();
            assertThat(lock.release()).isTrue();
        }
    }

    /** Each of the next renewals gets no answer, as if it was sent on another of the stale connections. */
    private static void forget(FaultyLocks faulty) {
        faulty.proxy().arm(new CommandMatcher(Set.copyOf(RENEWALS), 0, STALE), WireFault.holdRequest());
    }

    /** The first write of a process is slow, which makes a client patient. */
    private FaultyLocks faulty(Driver driver) throws InterruptedException {
        return FaultyLocks.on(ProxyRoute.to(server.uri(), true), driver, StaleConnectionsTest::setUp);
    }

    private static void setUp(LockClientBuilder<?> builder) {
        builder.strategy(new FindAndModifyCounterStrategy())
                .commandTimeout(COMMAND)
                .closeTimeout(Duration.ofSeconds(1));
    }
}
