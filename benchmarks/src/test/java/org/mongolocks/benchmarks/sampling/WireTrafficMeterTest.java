package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.workload.GrantCostMeter.OperationCosts;

/** Measures the baselines, whose commands are known. */
class WireTrafficMeterTest {
    private final WireTrafficMeter meter = WireTrafficMeter.ofBytes();

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final RunEnvironment environment = server.environment();

    @ParameterizedTest
    @EnumSource(Client.class)
    void aBaselineSendsTheCommandsOfItsNameThroughEitherDriver(Client client) throws InterruptedException {
        try (Driver driver = environment.driver(client, meter)) {
            RawCommands raw = driver.raw(environment.name("baseline"));

            assertThat(commands(Baseline.PING, raw)).isEqualTo(1);
            assertThat(commands(Baseline.TWO_FIND_AND_MODIFY, raw)).isEqualTo(2);
            assertThat(commands(Baseline.FIND_AND_MODIFY, raw)).isEqualTo(1);
            assertThat(commands(Baseline.TWO_FIND_AND_MODIFY, raw)).isEqualTo(2);
            assertThat(commands(Baseline.FIND_AND_TWO_FIND_AND_MODIFY, raw)).isEqualTo(3);
            assertThat(commands(Baseline.TRANSACTION, raw)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void commandsAndRepliesHaveASize(Client client) throws InterruptedException {
        try (Driver driver = environment.driver(client, meter)) {
            RawCommands raw = driver.raw(environment.name("baseline"));
            OperationCosts one = costs(Baseline.FIND_AND_MODIFY, raw);
            OperationCosts two = costs(Baseline.TWO_FIND_AND_MODIFY, raw);

            assertThat(one.bytes()).isGreaterThan(100);
            assertThat(two.bytes()).isGreaterThan(1.5 * one.bytes());
        }
    }

    private double commands(Baseline baseline, RawCommands raw) throws InterruptedException {
        return costs(baseline, raw).commands();
    }

    private OperationCosts costs(Baseline baseline, RawCommands raw) throws InterruptedException {
        return OperationCosts.of(() -> baseline.run(raw), Duration.ZERO, meter, Optional.empty());
    }
}
