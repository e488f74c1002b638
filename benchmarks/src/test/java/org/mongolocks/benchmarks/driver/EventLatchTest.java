package org.mongolocks.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.driver.ReactiveRawChangeStream.EventLatch;

class EventLatchTest {
    private final EventLatch events = new EventLatch();

    @Test
    void awaitingTheSecondEventIsNotCompletedByTheFirst() {
        CompletableFuture<Void> second = events.await("report", 2);

        events.record("report");
        assertThat(second).isNotDone();

        events.record("report");
        assertThat(second).isCompleted();
    }

    @Test
    void awaitingAnEarlierEventCompletesAtOnce() {
        events.record("report");

        assertThat(events.await("report", 1)).isCompleted();
    }

    @Test
    void eventsOfOthersAreNotCounted() {
        events.record("bill");

        assertThat(events.await("report", 1)).isNotDone();
    }

    @Test
    void awaitingAnEventFailsWhenTheStreamFails() {
        CompletableFuture<Void> before = events.await("report", 1);

        events.fail(new MongoException("gone"));

        assertThat(before).isCompletedExceptionally();
        assertThat(events.await("report", 2)).isCompletedExceptionally();
    }
}
