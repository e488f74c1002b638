package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.StrategyRival;
import org.mongolocks.spi.LockStrategies;

class RelayTest {
    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();
    private final ProtectedData data = bench.protectedData("relay");

    @Test
    void twoHandALockToEachOtherThoughThereIsNoTime() throws InterruptedException {
        assertThat(relay(new LocksInMemory(1)).getTotalCount()).isEqualTo(1);

        assertThat(data.violations().total()).isZero();
    }

    @Test
    void aLockThatLetsTwoInIsSeenByTheData() throws InterruptedException {
        relay(new LocksInMemory(2));

        assertThat(data.violations().total()).isPositive();
    }

    @Test
    void twoClientsHandALockToEachOther() throws InterruptedException {
        try (Rival rival = new StrategyRival(bench, LockStrategies.named("insert-unique"), Client.SYNC)) {
            assertThat(relay(rival).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theFloorOfEachDriverHandsOverToo(Client client) throws InterruptedException {
        try (Rival floor = new HandOffFloor(bench, client)) {
            assertThat(relay(floor).getTotalCount()).isPositive();
        }

        assertThat(data.violations().total()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theEventOfAnInsertIsTimed(Client client) throws InterruptedException {
        assertThat(new NotificationFloor(bench, client).run(Duration.ZERO).getTotalCount())
                .isEqualTo(1);
    }

    private Histogram relay(Rival rival) throws InterruptedException {
        LockRequest request = LockRequest.of("relay", Workbench.TTL).waitAtMost(Duration.ofSeconds(20));
        try (Party first = rival.open();
                Party second = rival.open()) {
            return new Relay(request, data, Pace.measured(rival.waiting(), Duration.ZERO)).run(first, second);
        }
    }
}
