package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.core.tck.MeterRegistryAssert;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;

/** What the meters show after events. */
class LockMetricsTest {
    private static final Duration TIME = Duration.ofSeconds(3);
    private static final LockName INVOICE = LockName.of("invoice/42");
    private static final LockName REPORT = LockName.of("report");
    private static final Tags OWN = Tags.of("client", "orders", "strategy", "flag-update");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LockMetrics metrics = LockMetrics.of(registry, "orders");

    @Test
    void waitTimerHasTheTimeOfEachOutcome() {
        metrics.onEvent(ended(Kind.ACQUIRED));
        metrics.onEvent(ended(Kind.CONTENDED));
        metrics.onEvent(ended(Kind.CONTENDED));
        metrics.onEvent(ended(Kind.FAILED));

        assertThat(timer("mongo.locks.wait", "acquired").count()).isEqualTo(1);
        assertThat(timer("mongo.locks.wait", "contended").count()).isEqualTo(2);
        assertThat(timer("mongo.locks.wait", "contended").totalTime(TimeUnit.SECONDS))
                .isEqualTo(6);
        assertThat(timer("mongo.locks.wait", "failed").count()).isEqualTo(1);
    }

    @Test
    void holdTimerHasTheTimeOfARelease() {
        metrics.onEvent(held(Kind.RELEASED, INVOICE, 1));

        assertThat(timer("mongo.locks.hold", "released").totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(timer("mongo.locks.hold", "lost").count()).isZero();
    }

    @Test
    void lossCountsOnceWithItsReason() {
        metrics.onEvent(lost(LossReason.TAKEN_OVER));

        assertThat(counter("mongo.locks.lost", "reason", "taken_over")).isEqualTo(1);
        assertThat(registry.get("mongo.locks.lost").counters())
                .extracting(io.micrometer.core.instrument.Counter::count)
                .containsExactlyInAnyOrder(1.0, 0.0, 0.0, 0.0, 0.0);
        assertThat(timer("mongo.locks.hold", "lost").count()).isEqualTo(1);
    }

    @Test
    void otherEventsCountOnce() {
        metrics.onEvent(LockEvent.of(Kind.WAITING, INVOICE, "flag-update"));
        metrics.onEvent(held(Kind.RENEWED, INVOICE, 1));
        metrics.onEvent(held(Kind.ENDANGERED, INVOICE, 1));
        metrics.onEvent(held(Kind.RELEASE_FAILED, INVOICE, 1));
        metrics.onEvent(LockEvent.of(Kind.COMPENSATED, INVOICE, "flag-update"));

        assertThat(counter("mongo.locks.wait.started")).isEqualTo(1);
        assertThat(counter("mongo.locks.renewals")).isEqualTo(1);
        assertThat(counter("mongo.locks.endangered")).isEqualTo(1);
        assertThat(counter("mongo.locks.release.failures")).isEqualTo(1);
        assertThat(counter("mongo.locks.compensations")).isEqualTo(1);
        assertThat(timer("mongo.locks.hold", "released").count()).isZero();
    }

    @Test
    void allMetersOfAStrategyBeginAtZero() {
        metrics.onEvent(ended(Kind.ACQUIRED));

        assertThat(registry.get("mongo.locks.lost").counters()).hasSize(LossReason.values().length);
        assertThat(counter("mongo.locks.release.failures")).isZero();
        assertThat(timer("mongo.locks.wait", "failed").count()).isZero();
    }

    @Test
    void heldLocksAreCountedUntilTheyEnd() {
        metrics.onEvent(granted(INVOICE, 1));
        metrics.onEvent(granted(REPORT, 7));
        assertThat(gauge()).isEqualTo(2);

        metrics.onEvent(held(Kind.RELEASED, INVOICE, 1));
        metrics.onEvent(held(Kind.RELEASE_FAILED, REPORT, 7));
        metrics.onEvent(held(Kind.RELEASED, REPORT, 7));

        assertThat(gauge()).isZero();
    }

    @Test
    void lateReleaseEventDoesNotEndTheNextHold() {
        metrics.onEvent(granted(INVOICE, 1));
        metrics.onEvent(granted(INVOICE, 2));
        metrics.onEvent(held(Kind.RELEASED, INVOICE, 1));

        assertThat(gauge()).isEqualTo(1);
    }

    @Test
    void nameTagIsOffByDefault() {
        metrics.onEvent(ended(Kind.ACQUIRED));
        metrics.onEvent(lost(LossReason.EXPIRED));

        assertThat(registry.getMeters())
                .allSatisfy(
                        meter -> assertThat(meter.getId().getTag("lock.name")).isNull());
        MeterRegistryAssert.assertThat(registry)
                .hasTimerWithNameAndTags("mongo.locks.wait", OWN.and("outcome", "acquired"))
                .doesNotHaveTimerWithNameAndTagKeys("mongo.locks.wait", "lock.name");
    }

    @Test
    void nameTagIsTheResultOfTheFunction() {
        MeterRegistry named = new SimpleMeterRegistry();
        LockMetrics byName =
                LockMetrics.of(named, "orders", name -> name.value().startsWith("invoice/") ? "invoice" : name.value());

        byName.onEvent(held(Kind.RENEWED, INVOICE, 1));
        byName.onEvent(held(Kind.RENEWED, LockName.of("invoice/43"), 1));
        byName.onEvent(held(Kind.RENEWED, REPORT, 1));

        assertThat(named.get("mongo.locks.renewals")
                        .tags(OWN.and("lock.name", "invoice"))
                        .counter()
                        .count())
                .isEqualTo(2);
        MeterRegistryAssert.assertThat(named)
                .hasMeterWithNameAndTags("mongo.locks.renewals", OWN.and("lock.name", "report"));
    }

    @Test
    void gaugeIsRemovedOnClose() {
        metrics.onEvent(granted(INVOICE, 1));
        metrics.close();
        metrics.onEvent(granted(REPORT, 1));

        MeterRegistryAssert.assertThat(registry)
                .doesNotHaveMeterWithName("mongo.locks.held")
                .hasTimerWithName("mongo.locks.wait");
        LockMetrics.of(registry, "orders").onEvent(granted(INVOICE, 2));
        assertThat(gauge()).isEqualTo(1);
    }

    @Test
    void secondClientOfTheSameNameIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> LockMetrics.of(registry, "orders"))
                .withMessageContaining("'orders'");

        LockMetrics.of(registry, "reports").onEvent(granted(INVOICE, 1));

        assertThat(registry.get("mongo.locks.held")
                        .tag("client", "reports")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(gauge()).isZero();
    }

    @Test
    void tokensThatWentBackAreCounted() {
        metrics.onTokenWentBack(new Lease(INVOICE, new Owner("here", UUID.randomUUID()), 3, TIME, 0), 4);

        assertThat(registry.get("mongo.locks.tokens.went.back").counter().count())
                .isEqualTo(1);
    }

    private Timer timer(String name, String outcome) {
        return registry.get(name).tags(OWN.and("outcome", outcome)).timer();
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(OWN.and(tags)).counter().count();
    }

    private double gauge() {
        return registry.get("mongo.locks.held").tag("client", "orders").gauge().value();
    }

    private static LockEvent ended(Kind kind) {
        return LockEvent.of(kind, INVOICE, "flag-update").waited(Optional.of(TIME));
    }

    private static LockEvent granted(LockName name, long token) {
        return LockEvent.of(Kind.ACQUIRED, name, "flag-update")
                .fencingToken(OptionalLong.of(token))
                .waited(Optional.of(TIME));
    }

    private static LockEvent held(Kind kind, LockName name, long token) {
        return LockEvent.of(kind, name, "flag-update")
                .fencingToken(OptionalLong.of(token))
                .held(Optional.of(TIME));
    }

    private static LockEvent lost(LossReason reason) {
        return LockEvent.of(Kind.LOST, INVOICE, "flag-update")
                .fencingToken(OptionalLong.of(1))
                .held(Optional.of(TIME))
                .lossReason(Optional.of(reason));
    }
}
