package org.mongolocks.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.lock.OtherLibraries.Server;
import org.mongolocks.benchmarks.lock.PeerServer;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.PrivateLocksStrategy;
import org.mongolocks.benchmarks.workload.HandOffBaseline;
import org.mongolocks.benchmarks.workload.NotificationBaseline;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Runs each benchmark for a very short time. Asserts on which measurements exist, not on their values. */
class HarnessTest {
    private static final LockStrategy COUNTER = LockStrategies.named("findandmodify-counter");
    private static final int MAX_RECOVERY_RUNS = 5;

    @Test
    void handOffIsComparedWithItsBaseline() throws InterruptedException {
        RunResults findings = run(benchmark("B5"), COUNTER);

        assertThat(of(COUNTER.name(), Metric.LATENCY, findings))
                .extracting(found -> found.subject().client())
                .containsExactly(Client.SYNC, Client.REACTIVE);
        assertThat(of(COUNTER.name(), Metric.LATENCY, findings))
                .allSatisfy(found ->
                        assertThat(found.ratio()).as("a ratio of one turn").isEmpty());
        assertThat(Stream.of(HandOffBaseline.ID, NotificationBaseline.ID))
                .allSatisfy(baseline -> assertThat(of(baseline, Metric.LATENCY, findings))
                        .extracting(found -> found.subject().client())
                        .containsExactly(Client.SYNC, Client.REACTIVE));
        assertThat(of("mongock", Metric.LATENCY, findings)).hasSize(1);
        assertThat(of("shedlock", Metric.LATENCY, findings)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"REDIS, redisson", "ZOOKEEPER, curator", "ETCD, etcd", "POSTGRESQL, spring-jdbc"})
    void aLockOnAnotherServerTakesPartInTheHandOff(Server server, String contender) throws InterruptedException {
        OtherLibraries peers = new OtherLibraries(Map.of(server, PeerServer.addressOf(server)));

        RunResults findings = run(benchmark("B5", peers), COUNTER);

        assertThat(status(contender, findings)).isEqualTo(Status.MEASURED);
        assertThat(of(contender, Metric.LATENCY, findings))
                .hasSize(1)
                .allSatisfy(found -> assertThat(found.ratio()).isEmpty());
    }

    @Test
    void contentionIsMeasuredByThroughputCostAndFairness() throws InterruptedException {
        RunResults findings = run(benchmark("B6"), COUNTER);

        assertThat(Stream.of(Metric.THROUGHPUT, Metric.COMMANDS_PER_GRANT, Metric.JAIN, Metric.MAX_WAIT))
                .allSatisfy(metric -> assertThat(of(COUNTER.name(), metric, findings))
                        .extracting(found -> found.subject().parameters().get("waiters"))
                        .containsExactly(64, 64));
        assertThat(status(COUNTER.name(), findings)).isEqualTo(Status.MEASURED);
    }

    @Test
    void strategyWithoutMutualExclusionIsVoid() throws InterruptedException {
        RunResults findings = run(benchmark("B6"), new PrivateLocksStrategy());

        assertThat(status("private-locks", findings)).isEqualTo(Status.VOID);
    }

    /** The lease starts before its holder reads the clock, and a busy machine may let it wait: some runs may be needed. */
    @Test
    void anAbandonedLockIsGrantedAfterItsLease() throws InterruptedException {
        RunResults findings = run(benchmark("B9"), COUNTER);
        for (int run = 1; run < MAX_RECOVERY_RUNS && !perTtl(findings).allMatch(HarnessTest::isALease); run++) {
            findings = run(benchmark("B9"), COUNTER);
        }

        assertThat(perTtl(findings)).hasSize(2).allMatch(HarnessTest::isALease);
        assertThat(status(COUNTER.name(), findings)).isEqualTo(Status.MEASURED);
    }

    @Tag("slow")
    @Test
    void processesContendWithBothClients() throws InterruptedException {
        RunResults findings = run(benchmark("B14"), COUNTER);

        assertThat(Stream.of(Metric.THROUGHPUT, Metric.COMMANDS_PER_GRANT, Metric.JAIN, Metric.MAX_WAIT))
                .allSatisfy(metric -> assertThat(of(COUNTER.name(), metric, findings))
                        .extracting(found -> found.subject().parameters().get("clients"))
                        .containsExactly(4, 4));
        assertThat(of(COUNTER.name(), Metric.LATENCY, findings))
                .allSatisfy(found -> assertThat(found.percentiles()).isPresent())
                .hasSize(2);
        assertThat(status(COUNTER.name(), findings)).isEqualTo(Status.MEASURED);
    }

    @Tag("slow")
    @Test
    void manyLocksAreKeptAliveByBothClients() throws InterruptedException {
        RunResults findings = run(benchmark("B15"), COUNTER);

        assertThat(Stream.of(new Metric("idleCommands", "1/s"), new Metric("idleCpu", "ns/10 s")))
                .allSatisfy(metric -> assertThat(of(COUNTER.name(), metric, findings))
                        .allSatisfy(found ->
                                assertThat(found.subject().parameters()).containsEntry("locks", 250))
                        .extracting(found -> found.subject().client())
                        .containsExactly(Client.SYNC, Client.REACTIVE));
    }

    @Test
    void locksThatDoNotFitIntoTheTimeAreLeftOut() throws InterruptedException {
        try (EmbeddedEnvironment server = new EmbeddedEnvironment()) {
            RunResults findings = new BenchmarkRun(
                            List.of(benchmark("B15")), RunLength.NORMAL, Duration.ofSeconds(1), Duration.ZERO)
                    .run(server.environment(), List.of(COUNTER), (step, steps, what) -> {}, (found, missing) -> {})
                    .results()
                    .findings();

            assertThat(findings.measurements())
                    .noneMatch(found -> found.subject().parameters().containsValue(10_000));
            assertThat(findings.remarks())
                    .singleElement()
                    .asString()
                    .matches("B15: its time was over, and [1-4] of its .*");
        }
    }

    @Test
    void fixedRatesAreKeptByAll() throws InterruptedException {
        RunResults findings = run(benchmark("B11"), COUNTER);

        assertThat(findings.measurements())
                .extracting(found -> found.subject().contender())
                .containsExactly(COUNTER.name(), COUNTER.name(), "shedlock", "mongock");
        assertThat(findings.measurements())
                .allSatisfy(found -> assertThat(found.percentiles()).isPresent());
    }

    @Test
    void theLocksOfOthersTakePartInTheRoundsOfTheStrategies() throws InterruptedException {
        RunResults findings = run(benchmark("B1"), COUNTER);

        assertThat(Stream.of("shedlock", "mongock"))
                .allSatisfy(peer -> assertThat(of(peer, Metric.LATENCY, findings))
                        .singleElement()
                        .satisfies(found -> assertThat(found.value().value()).isPositive()));
    }

    @Tag("slow")
    @Test
    void peerWithoutItsServerIsSkippedWithAReason() throws InterruptedException {
        OtherLibraries unreachable = new OtherLibraries(Map.of(
                Server.REDIS, "redis://127.0.0.1:1",
                Server.ETCD, "127.0.0.1:1",
                Server.POSTGRESQL, "jdbc:postgresql://127.0.0.1:1/postgres"));

        RunResults findings = run(benchmark("B1", unreachable), COUNTER);

        assertThat(reason("redisson", findings)).isEqualTo("no Redis answers at --redis");
        assertThat(reason("curator", findings)).isEqualTo("needs --zookeeper");
        assertThat(reason("etcd", findings)).isEqualTo("no etcd answers at --etcd");
        assertThat(reason("spring-jdbc", findings)).isEqualTo("no PostgreSQL answers at --postgresql");
        assertThat(Stream.of("shedlock", "mongock"))
                .allSatisfy(
                        peer -> assertThat(of(peer, Metric.LATENCY, findings)).hasSize(1));
    }

    @Test
    void postgresqlThatRefusesIsQuotedWithoutTheAddress() throws InterruptedException {
        String address = PeerServer.addressOf(Server.POSTGRESQL).replaceAll("/[^/?]+(\\?|$)", "/no-such-database$1");
        OtherLibraries refused = new OtherLibraries(Map.of(Server.POSTGRESQL, address));

        RunResults findings = run(benchmark("B1", refused), COUNTER);

        assertThat(reason("spring-jdbc", findings))
                .isEqualTo("PostgreSQL refused: FATAL: database \"no-such-database\" does not exist");
    }

    private static Benchmark benchmark(String id) {
        return benchmark(id, new OtherLibraries(Map.of()));
    }

    private static Benchmark benchmark(String id, OtherLibraries peers) {
        return BenchmarkRegistry.all(peers).only(List.of(id)).benchmarks().get(0);
    }

    private static RunResults run(Benchmark benchmark, LockStrategy strategy) throws InterruptedException {
        BenchmarkRun benchmarkRun =
                new BenchmarkRun(List.of(benchmark), RunLength.QUICK, Duration.ofMillis(500), Duration.ofMinutes(1));
        try (EmbeddedEnvironment server = new EmbeddedEnvironment()) {
            return benchmarkRun
                    .run(server.environment(), List.of(strategy), (step, steps, what) -> {}, (findings, missing) -> {})
                    .results()
                    .findings();
        }
    }

    private static Stream<Double> perTtl(RunResults findings) {
        return of(COUNTER.name(), new Metric("recoveryPerTtl", "ratio"), findings).stream()
                .map(found -> found.value().value());
    }

    private static boolean isALease(double ratio) {
        return ratio > 0.9;
    }

    private static List<Measurement> of(String contender, Metric metric, RunResults findings) {
        return findings.measurements().stream()
                .filter(found -> found.subject().contender().equals(contender))
                .filter(found -> found.metric().equals(metric))
                .toList();
    }

    private static Status status(String id, RunResults findings) {
        return contender(id, findings).verdict().status();
    }

    private static String reason(String id, RunResults findings) {
        return contender(id, findings).verdict().reason().orElseThrow();
    }

    private static LockUnderTest contender(String id, RunResults findings) {
        return findings.contenders().stream()
                .filter(contender -> contender.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
