package org.mongolocks.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.StaleTokenException;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/guides/migration.md. */
class MigrationTest {
    private static final String NAME = "names";

    private final GuideScene scene = GuideScene.open();
    private final ExecutorService starting = Executors.newSingleThreadExecutor();
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private LockClient northLocks;
    private Migration north;
    private Migration south;

    @BeforeEach
    void open() throws InterruptedException {
        northLocks = scene.client();
        north = new Migration(northLocks, scene.collection("migrations"));
        south = new Migration(scene.client(), scene.collection("migrations"));
    }

    @AfterEach
    void close() throws Exception {
        starting.shutdownNow();
        scene.close();
    }

    @Test
    void instanceThatStartsMeanwhileWaitsAndDoesNotRepeatIt() throws Exception {
        Future<?>[] waiting = new Future<?>[1];
        north.runOnce(NAME, () -> {
            waiting[0] = startSouth();
            assertThat(waiting[0].isDone()).isFalse();
            runs.add("north");
        });
        waiting[0].get();

        assertThat(runs).containsExactly("north");
    }

    @Test
    void instanceThatStartsLaterDoesNotRepeatIt() throws InterruptedException {
        north.runOnce(NAME, () -> runs.add("north"));
        south.runOnce(NAME, () -> runs.add("south"));

        assertThat(runs).containsExactly("north");
    }

    @Test
    void nextInstanceRunsItAfterACrash() throws Exception {
        assertThat(northLocks.tryAcquire(LockRequest.of("migration-" + NAME, Duration.ofSeconds(30))
                        .fixedLease()))
                .as("granted, and never renewed or released")
                .isPresent();
        Future<?> waiting = startSouth();

        scene.server.elapse(Duration.ofSeconds(31));
        waiting.get();

        assertThat(runs).containsExactly("south");
    }

    @Test
    void instanceThatWasPausedPastItsLeaseIsRefused() {
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> north.runOnce(NAME, () -> {
                    scene.endUnnoticed(northLocks, "migration-" + NAME);
                    runOnSouth();
                }));

        assertThat(runs).containsExactly("south");
    }

    private Future<?> startSouth() {
        return starting.submit(this::runOnSouth);
    }

    private void runOnSouth() {
        try {
            south.runOnce(NAME, () -> runs.add("south"));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
