package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.PrivateLocksStrategy;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Course;
import org.mongolocks.benchmarks.peer.PeerServer;
import org.mongolocks.benchmarks.peer.Peers;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Findings;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.benchmarks.result.Verdict.Status;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;

/** Runs each benchmark for a very short time. Asserts on which measurements exist, not on their values. */
class HarnessTest {
    private static final LockStrategy COUNTER = LockStrategies.named("findandmodify-counter");

    @Test
    void handOffIsComparedWithItsFloor() throws InterruptedException {
        Findings findings = run(new HandOff(Peers.ON_MONGODB), COUNTER);

        assertThat(of(COUNTER.name(), Metric.LATENCY, findings))
                .extracting(found -> found.subject().client())
                .containsExactly(Client.SYNC, Client.REACTIVE);
        assertThat(of(COUNTER.name(), Metric.LATENCY, findings))
                .allSatisfy(
                        found -> assertThat(found.ratio().orElseThrow().to()).isEqualTo(HandOffFloor.ID));
        assertThat(Stream.of(HandOffFloor.ID, NotificationFloor.ID))
                .allSatisfy(floor -> assertThat(of(floor, Metric.LATENCY, findings))
                        .extracting(found -> found.subject().client())
                        .containsExactly(Client.SYNC, Client.REACTIVE));
        assertThat(of("mongock", Metric.LATENCY, findings)).hasSize(1);
        assertThat(of("shedlock", Metric.LATENCY, findings)).isEmpty();
    }

    @Test
    void aLockOnRedisTakesPartInTheHandOff() throws InterruptedException {
        Peers peers = new Peers(Optional.of(PeerServer.REDIS.address()), Optional.empty());

        Findings findings = run(new HandOff(peers), COUNTER);

        assertThat(status("redisson", findings)).isEqualTo(Status.MEASURED);
        assertThat(of("redisson", Metric.LATENCY, findings))
                .hasSize(1)
                .allSatisfy(found -> assertThat(found.ratio()).isEmpty());
    }

    @Test
    void aLockOnZooKeeperTakesPartInTheHandOff() throws InterruptedException {
        Peers peers = new Peers(Optional.empty(), Optional.of(PeerServer.ZOOKEEPER.address()));

        Findings findings = run(new HandOff(peers), COUNTER);

        assertThat(status("curator", findings)).isEqualTo(Status.MEASURED);
        assertThat(of("curator", Metric.LATENCY, findings))
                .hasSize(1)
                .allSatisfy(found -> assertThat(found.ratio()).isEmpty());
    }

    @Test
    void contentionTellsThroughputCostAndFairness() throws InterruptedException {
        Findings findings = run(new Contention(Peers.ON_MONGODB), COUNTER);

        assertThat(Stream.of(Metric.THROUGHPUT, Metric.COMMANDS_PER_GRANT, Metric.JAIN, Metric.LONGEST_WAIT))
                .allSatisfy(metric -> assertThat(of(COUNTER.name(), metric, findings))
                        .extracting(found -> found.subject().parameters().get("waiters"))
                        .containsExactly(1, 1, 8, 8, 64, 64));
        assertThat(status(COUNTER.name(), findings)).isEqualTo(Status.MEASURED);
    }

    @Test
    void whoLetsEverybodyInIsVoid() throws InterruptedException {
        Findings findings = run(new Contention(Peers.ON_MONGODB), new PrivateLocksStrategy());

        assertThat(status("private-locks", findings)).isEqualTo(Status.VOID);
    }

    @Test
    void idleWaitersOfTheReactiveClientNeedNoThreads() throws InterruptedException {
        Findings findings = run(new IdleWaiters(), COUNTER);

        assertThat(of(COUNTER.name(), new Metric("idleCommands", "1/s"), findings))
                .hasSize(2);
        assertThat(of(COUNTER.name(), new Metric("threads", "threads"), findings))
                .filteredOn(found -> found.subject().client() == Client.REACTIVE)
                .allSatisfy(found -> assertThat(found.value().value()).isLessThan(100));
    }

    @Test
    void anAbandonedLockIsGrantedAfterItsLease() throws InterruptedException {
        Findings findings = run(new Recovery(), COUNTER);

        assertThat(of(COUNTER.name(), new Metric("recoveryPerTtl", "ratio"), findings))
                .hasSize(2)
                .allSatisfy(found -> assertThat(found.value().value()).isGreaterThan(0.9));
        assertThat(status(COUNTER.name(), findings)).isEqualTo(Status.MEASURED);
    }

    @Test
    void fixedRatesAreKeptByAll() throws InterruptedException {
        Findings findings = run(new OpenLoop(Peers.ON_MONGODB), COUNTER);

        assertThat(findings.measurements())
                .extracting(found -> found.subject().contender())
                .containsExactly(COUNTER.name(), COUNTER.name(), "shedlock", "mongock");
        assertThat(findings.measurements())
                .allSatisfy(found -> assertThat(found.percentiles()).isPresent());
    }

    @Test
    void theLocksOfOthersAreMeasuredAgainstTheFloorOfTheirServer() throws InterruptedException {
        Findings findings = run(new PeerCosts(Peers.ON_MONGODB, PeerCosts.Operation.ACQUIRE_AND_RELEASE), COUNTER);

        assertThat(findings.measurements())
                .allSatisfy(found -> assertThat(found.ratio()).isPresent())
                .extracting(found -> found.subject().contender())
                .containsExactly("shedlock", "mongock");
    }

    @Test
    void whoseServerIsMissingIsSkippedWithAReason() throws InterruptedException {
        Peers unreachable = new Peers(Optional.of("redis://127.0.0.1:1"), Optional.empty());

        Findings findings = run(new PeerCosts(unreachable, PeerCosts.Operation.DENIED), COUNTER);

        assertThat(reason("redisson", findings)).isEqualTo("no Redis answers at --redis");
        assertThat(reason("curator", findings)).isEqualTo("needs --zookeeper");
        assertThat(findings.measurements())
                .extracting(found -> found.subject().contender())
                .containsExactly("shedlock", "mongock");
    }

    private static Findings run(Benchmark benchmark, LockStrategy strategy) throws InterruptedException {
        Course course = new Course(List.of(benchmark), Mode.QUICK, Duration.ofMillis(500));
        try (EmbeddedBench server = new EmbeddedBench()) {
            return course.run(server.bench(), List.of(strategy), (step, steps, what) -> {})
                    .findings();
        }
    }

    private static List<Measurement> of(String contender, Metric metric, Findings findings) {
        return findings.measurements().stream()
                .filter(found -> found.subject().contender().equals(contender))
                .filter(found -> found.metric().equals(metric))
                .toList();
    }

    private static Status status(String id, Findings findings) {
        return contender(id, findings).verdict().status();
    }

    private static String reason(String id, Findings findings) {
        return contender(id, findings).verdict().reason().orElseThrow();
    }

    private static Contender contender(String id, Findings findings) {
        return findings.contenders().stream()
                .filter(contender -> contender.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
