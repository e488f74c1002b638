package org.mongolocks.benchmarks.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.client.Raw;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;

/** Measures the baselines, whose commands are known. */
class WireMeterTest {
    private final WireMeter meter = new WireMeter();

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    private final Workbench bench = server.bench();

    @ParameterizedTest
    @EnumSource(Client.class)
    void aFloorSendsTheCommandsOfItsNameThroughEitherDriver(Client client) throws InterruptedException {
        try (Side side = bench.side(client, meter)) {
            Raw raw = side.raw(RawFloor.DURABLE, bench.name("floor"));

            assertThat(commands(RawFloor.PING, raw)).isEqualTo(1);
            assertThat(commands(RawFloor.INSERT_DELETE, raw)).isEqualTo(2);
            assertThat(commands(RawFloor.FIND_AND_MODIFY, raw)).isEqualTo(1);
            assertThat(commands(RawFloor.TWO_FIND_AND_MODIFY, raw)).isEqualTo(2);
            assertThat(commands(RawFloor.FIND_AND_TWO_FIND_AND_MODIFY, raw)).isEqualTo(3);
            assertThat(commands(RawFloor.TRANSACTION, raw)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Client.class)
    void commandsAndRepliesHaveASize(Client client) throws InterruptedException {
        try (Side side = bench.side(client, meter)) {
            Raw raw = side.raw(RawFloor.DURABLE, bench.name("floor"));
            Bill one = bill(RawFloor.FIND_AND_MODIFY, raw);
            Bill two = bill(RawFloor.TWO_FIND_AND_MODIFY, raw);

            assertThat(one.bytes()).isGreaterThan(100);
            assertThat(two.bytes()).isGreaterThan(1.5 * one.bytes());
        }
    }

    private double commands(RawFloor floor, Raw raw) throws InterruptedException {
        return bill(floor, raw).commands();
    }

    private Bill bill(RawFloor floor, Raw raw) throws InterruptedException {
        return Bill.of(() -> floor.run(raw), Duration.ZERO, meter, Optional.empty());
    }
}
