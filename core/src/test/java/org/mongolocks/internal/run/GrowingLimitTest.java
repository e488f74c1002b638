package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.time.ManualTime;
import org.mongolocks.time.ManualTimer;

/** Tests that slow tasks are replaced by others, up to a limit. */
class GrowingLimitTest {
    private static final int FEW = 2;
    private static final int MOST = 6;
    private static final int MANY = 10_000;
    private static final Duration STEP = Duration.ofMillis(50);

    private final ManualTime time = new ManualTime();
    private final ManualTimer timer = new ManualTimer(time);
    private final GrowingLimit limit = new GrowingLimit(new GrowingPool.Limits(FEW, MOST, STEP), timer, time);
    private final List<CompletableFuture<Integer>> begun = new ArrayList<>();

    private CompletableFuture<Integer> begin() {
        begun.add(new CompletableFuture<>());
        return begun.get(begun.size() - 1);
    }

    private List<CompletableFuture<Integer>> start(int tasks) {
        return IntStream.range(0, tasks)
                .mapToObj(task -> limit.start(this::begin))
                .toList();
    }

    @Test
    void aTaskThatEndsStartsTheNextOne() {
        List<CompletableFuture<Integer>> results = start(3);
        assertThat(begun).hasSize(FEW);

        begun.get(1).complete(7);

        assertThat(begun).hasSize(3);
        assertThat(results.get(1)).isCompletedWithValue(7);
        assertThat(results.get(0)).isNotDone();
    }

    @Test
    void tasksThatWaitForLongAreReplacedUpToALimit() {
        start(MANY);

        timer.advance(STEP.minusNanos(1));
        assertThat(begun).hasSize(FEW);
        timer.advance(Duration.ofNanos(1));
        assertThat(begun).hasSize(FEW + FEW);
        timer.advance(STEP.multipliedBy(100));
        assertThat(begun).hasSize(MOST);
    }

    /** They are as many as the free ones at least. */
    @Test
    void shortTasksGoOnBesideThoseThatWait() {
        start(FEW);
        timer.advance(STEP);
        List<CompletableFuture<Integer>> shortOnes = IntStream.range(0, MANY)
                .mapToObj(task -> limit.start(() -> CompletableFuture.completedFuture(task)))
                .toList();

        assertThat(shortOnes).allMatch(CompletableFuture::isDone);
        assertThat(timer.size()).isZero();
    }

    /** A stack that grew with each of them would overflow. */
    @Test
    void manyTasksThatEndAtOnceAreStartedOneAfterAnother() {
        start(FEW);
        List<CompletableFuture<Integer>> waiting = IntStream.range(0, MANY)
                .mapToObj(task -> limit.start(() -> CompletableFuture.completedFuture(task)))
                .toList();
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        begun.get(0).complete(1);

        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void failureOfATaskIsItsResultAndStartsTheNextOne() {
        List<CompletableFuture<Integer>> results = start(3);
        CompletableFuture<Integer> refused = limit.start(() -> {
            throw new IllegalStateException("for a test");
        });

        begun.get(0).completeExceptionally(new IllegalStateException("for another test"));
        begun.get(1).complete(1);

        assertThatThrownBy(results.get(0)::join).hasMessageContaining("for another test");
        assertThatThrownBy(refused::join).hasMessageContaining("for a test");
        assertThat(begun).hasSize(3);
    }

    @Test
    void errorInATaskThatWaitedEndsItAlone() {
        List<CompletableFuture<Integer>> results = start(FEW);
        CompletableFuture<Integer> broken = limit.start(() -> {
            throw new LinkageError("for a test");
        });
        CompletableFuture<Integer> next = limit.start(this::begin);

        begun.get(0).complete(1);
        begun.get(1).complete(2);

        assertThat(results.get(0)).isCompletedWithValue(1);
        assertThatThrownBy(broken::join).hasRootCauseInstanceOf(LinkageError.class);
        begun.get(FEW).complete(3);
        assertThat(next).isCompletedWithValue(3);
    }

    @Test
    void errorInATaskLeavesRoomForOthers() {
        CompletableFuture<Integer> broken = limit.start(() -> {
            throw new LinkageError("for a test");
        });

        assertThatThrownBy(broken::join).hasRootCauseInstanceOf(LinkageError.class);
        start(FEW);
        assertThat(begun).hasSize(FEW);
    }

    @Test
    void cancelledTaskIsCancelledOrNotStarted() {
        List<CompletableFuture<Integer>> results = start(FEW + 2);

        results.get(FEW).cancel(true);
        results.get(0).cancel(true);

        assertThat(begun.get(0)).isCancelled();
        assertThat(begun).hasSize(FEW + 1);
        begun.get(FEW).complete(9);
        assertThat(results.get(FEW + 1)).isCompletedWithValue(9);
    }
}
