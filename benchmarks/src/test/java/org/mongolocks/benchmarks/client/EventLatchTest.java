package org.mongolocks.benchmarks.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class EventLatchTest {
    private final EventLatch bells = new EventLatch();

    @Test
    void whoAwaitsTheSecondEventIsNotToldByTheFirst() {
        CompletableFuture<Void> second = bells.rung("report", 2);

        bells.ring("report");
        assertThat(second).isNotDone();

        bells.ring("report");
        assertThat(second).isCompleted();
    }

    @Test
    void anEventThatCameBeforeItWasAwaitedIsToldAtOnce() {
        bells.ring("report");

        assertThat(bells.rung("report", 1)).isCompleted();
    }

    @Test
    void eventsOfOthersAreNotCounted() {
        bells.ring("bill");

        assertThat(bells.rung("report", 1)).isNotDone();
    }

    @Test
    void whoAwaitsAnEventIsToldThatThereWillBeNone() {
        CompletableFuture<Void> before = bells.rung("report", 1);

        bells.fail(new MongoException("gone"));

        assertThat(before).isCompletedExceptionally();
        assertThat(bells.rung("report", 2)).isCompletedExceptionally();
    }
}
