package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;

class ConcurrentTasksTest {
    @Test
    void allRunAtOnceAndTheResultsAreInTheOrderOfTheTasks() throws InterruptedException {
        CountDownLatch all = new CountDownLatch(3);

        List<Integer> results = ConcurrentTasks.run(List.of(meet(all, 1), meet(all, 2), meet(all, 3)));

        assertThat(results).containsExactly(1, 2, 3);
    }

    @Test
    void whenOneFailsTheOthersAreInterrupted() {
        CountDownLatch never = new CountDownLatch(2);

        assertThatThrownBy(() -> ConcurrentTasks.run(List.of(meet(never, 1), failing("broken"))))
                .isInstanceOf(LockException.class)
                .hasMessage("broken");
    }

    @Test
    void failureOfOneTaskDoesNotStopTheOthers() throws InterruptedException {
        List<Future<Integer>> settled =
                ConcurrentTasks.settle(List.of(failing("broken"), meet(new CountDownLatch(1), 2)));

        assertThat(ConcurrentTasks.result(settled.get(1))).isEqualTo(2);
        assertThatThrownBy(() -> ConcurrentTasks.result(settled.get(0))).hasMessage("broken");
    }

    /** Its message names the failure, not that it happened in a task. */
    @Test
    void failureOfAnyKindIsThrownAsItIs() {
        assertThatThrownBy(() -> ConcurrentTasks.run(List.of(() -> {
                    throw new UnsupportedOperationException("broken");
                })))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("broken");
    }

    private static Callable<Integer> meet(CountDownLatch all, int result) {
        return () -> {
            all.countDown();
            all.await();
            return result;
        };
    }

    private static Callable<Integer> failing(String message) {
        return () -> {
            throw new LockException(message);
        };
    }
}
