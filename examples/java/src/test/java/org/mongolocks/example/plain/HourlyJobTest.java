package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/guides/once-an-hour.md. */
class HourlyJobTest {
    private static final String NAME = "report";

    private final GuideScene scene = GuideScene.open();
    private final List<Instant> runs = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T10:00:00Z");
    private HourlyJob north;
    private HourlyJob south;

    @BeforeEach
    void open() throws InterruptedException {
        north = instance(scene.client());
        south = instance(scene.client());
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void jobRunsOnceInEachHour() throws InterruptedException {
        for (int minute = 0; minute < 180; minute += 15) {
            south.runIfDue(NAME, this::run);
            north.runIfDue(NAME, this::run);
            now = now.plus(Duration.ofMinutes(15));
        }

        assertThat(runs)
                .containsExactly(
                        Instant.parse("2026-01-01T10:00:00Z"),
                        Instant.parse("2026-01-01T11:00:00Z"),
                        Instant.parse("2026-01-01T12:00:00Z"));
    }

    @Test
    void jobDoesNotRunWhileAnotherInstanceRunsIt() throws InterruptedException {
        boolean ran = north.runIfDue(NAME, () -> {
            assertThat(runOn(south)).isFalse();
            run();
        });

        assertThat(ran).isTrue();
        assertThat(runs).hasSize(1);
    }

    @Test
    @Tag("finds:hourly-job")
    void jobOfACrashedInstanceRunsInTheSameHour() throws InterruptedException {
        LockClient crashed = scene.client();
        assertThat(crashed.tryAcquire(
                        LockRequest.of(NAME, Duration.ofSeconds(30)).fixedLease()))
                .as("granted, and never renewed or released")
                .isPresent();
        assertThat(runOn(north)).isFalse();

        scene.server.elapse(Duration.ofSeconds(31));

        assertThat(runOn(north)).isTrue();
        assertThat(runOn(south)).isFalse();
    }

    @Test
    void jobThatFailedRunsAgainInTheSameHour() {
        assertThatIllegalStateException()
                .isThrownBy(() -> north.runIfDue(NAME, () -> {
                    throw new IllegalStateException("no paper");
                }));

        assertThat(runOn(south)).isTrue();
    }

    @Test
    void instanceWhoseClockIsSlowDoesNotRepeatTheJob() throws InterruptedException {
        assertThat(runOn(north)).isTrue();
        now = now.minusSeconds(5);

        assertThat(runOn(south)).isFalse();
    }

    private HourlyJob instance(LockClient locks) {
        return new HourlyJob(locks, scene.collection("jobs"), () -> now);
    }

    private boolean runOn(HourlyJob instance) {
        try {
            return instance.runIfDue(NAME, this::run);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void run() {
        runs.add(now);
    }
}
