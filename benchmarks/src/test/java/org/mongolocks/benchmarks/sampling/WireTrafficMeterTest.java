package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedBench;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.workload.GrantCostMeter.OperationCosts;

/** Measures the baselines, whose commands are known. */
class WireTrafficMeterTest {
    private final WireTrafficMeter meter = new WireTrafficMeter();

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final RunEnvironment bench = server.bench();

    @ParameterizedTest
    @EnumSource(Client.class)
    void aFloorSendsTheCommandsOfItsNameThroughEitherDriver(Client client) throws InterruptedException {
        try (DriverAdapter side = bench.side(client, meter)) {
            RawCommands raw = side.raw(Baseline.DURABLE, bench.name("floor"));

            assertThat(commands(Baseline.PING, raw)).isEqualTo(1);
            assertThat(commands(Baseline.INSERT_DELETE, raw)).isEqualTo(2);
            assertThat(commands(Baseline.FIND_AND_MODIFY, raw)).isEqualTo(1);
            assertThat(commands(Baseline.TWO_FIND_AND_MODIFY, raw)).isEqualTo(2);
            assertThat(commands(Baseline.FIND_AND_TWO_FIND_AND_MODIFY, raw)).isEqualTo(3);
            assertThat(commands(Baseline.TRANSACTION, raw)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void commandsAndRepliesHaveASize(Client client) throws InterruptedException {
        try (DriverAdapter side = bench.side(client, meter)) {
            RawCommands raw = side.raw(Baseline.DURABLE, bench.name("floor"));
            OperationCosts one = bill(Baseline.FIND_AND_MODIFY, raw);
            OperationCosts two = bill(Baseline.TWO_FIND_AND_MODIFY, raw);

            assertThat(one.bytes()).isGreaterThan(100);
            assertThat(two.bytes()).isGreaterThan(1.5 * one.bytes());
        }
    }

    private double commands(Baseline floor, RawCommands raw) throws InterruptedException {
        return bill(floor, raw).commands();
    }

    private OperationCosts bill(Baseline floor, RawCommands raw) throws InterruptedException {
        return OperationCosts.of(() -> floor.run(raw), Duration.ZERO, meter, Optional.empty());
    }
}
