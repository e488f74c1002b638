package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the example of docs/guides/nightly-job.md. */
class NightlyJobTest {
    private static final String NAME = "nightly-report";
    private static final LocalDate DAY = LocalDate.of(2026, 1, 31);

    private final GuideScene scene = GuideScene.open();
    private final List<String> runs = new ArrayList<>();
    private NightlyJob north;
    private NightlyJob south;

    @BeforeEach
    void open() throws InterruptedException {
        north = new NightlyJob(scene.clientForNames(), scene.collection("jobs"));
        south = new NightlyJob(scene.clientForNames(), scene.collection("jobs"));
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    @Tag("finds:nightly-job")
    void jobRunsOnceForEachDay() throws InterruptedException {
        for (LocalDate day = DAY; day.isBefore(DAY.plusDays(3)); day = day.plusDays(1)) {
            String run = day.toString();
            north.run(NAME, day, () -> runs.add("north " + run));
            south.run(NAME, day, () -> runs.add("south " + run));
        }

        assertThat(runs).containsExactly("north 2026-01-31", "north 2026-02-01", "north 2026-02-02");
    }

    @Test
    void otherInstanceSkipsTheJobWhileItRuns() throws InterruptedException {
        boolean ran = north.run(NAME, DAY, () -> {
            try {
                assertThat(south.run(NAME, DAY, () -> runs.add("south"))).isFalse();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(ran).isTrue();
        assertThat(runs).isEmpty();
    }

    @Test
    void jobThatFailedRunsWithTheNextCallOfAnyInstance() throws InterruptedException {
        assertThatIllegalStateException()
                .isThrownBy(() -> north.run(NAME, DAY, () -> {
                    throw new IllegalStateException("no paper");
                }));

        assertThat(south.run(NAME, DAY, () -> runs.add("south"))).isTrue();
        assertThat(runs).containsExactly("south");
    }
}
