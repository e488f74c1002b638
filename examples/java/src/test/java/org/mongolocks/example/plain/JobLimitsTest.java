package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the examples of docs/guides/rate-of-jobs.md. */
class JobLimitsTest {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final GuideScene scene = GuideScene.open();
    private final List<String> runs = new ArrayList<>();
    private JobLimits north;
    private JobLimits south;

    @BeforeEach
    void open() throws InterruptedException {
        north = new JobLimits(scene.clientForNames());
        south = new JobLimits(scene.clientForNames());
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void asManyRunAtOnceAsTheLimitSaysOnAnyInstance() throws InterruptedException {
        JobLimits west = new JobLimits(scene.clientForNames());

        north.atMost(
                2,
                "import",
                () -> nested(() -> south.atMost(
                        2,
                        "import",
                        () -> nested(() -> {
                            assertThat(west.atMost(2, "import", () -> runs.add("third")))
                                    .isFalse();
                            runs.add("two");
                        }))));

        assertThat(runs).containsExactly("two");
        assertThat(south.atMost(2, "import", () -> runs.add("later"))).isTrue();
    }

    @Test
    void intervalCountsFromTheBeginningOfTheLastRun() throws InterruptedException {
        assertThat(north.atMostEvery(INTERVAL, "mail", () -> runs.add("first"))).isTrue();
        assertThat(north.atMostEvery(INTERVAL, "mail", () -> runs.add("too soon")))
                .isFalse();
        assertThat(south.atMostEvery(INTERVAL, "mail", () -> runs.add("too soon")))
                .isFalse();

        scene.server.elapse(INTERVAL.plusSeconds(1));

        assertThat(south.atMostEvery(INTERVAL, "mail", () -> runs.add("second")))
                .isTrue();
        assertThat(runs).containsExactly("first", "second");
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void nested(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
