package org.mongolocks.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.scenario.IdleWaitersBenchmark.IdleWaiterRun;

/** Tests that a waiter that no longer waits fails the benchmark. */
class IdleWaitersBenchmarkTest {
    private static final CompletableFuture<?> WAITING = new CompletableFuture<>();

    @Test
    void waitersThatWaitToTheEndAreMeasured() {
        assertThatCode(() -> IdleWaiterRun.requireWaiting(List.of(WAITING, WAITING)))
                .doesNotThrowAnyException();
    }

    @Test
    void failedWaiterFailsTheBenchmark() {
        Exception failure = new LockException("for a test");

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(
                        () -> IdleWaiterRun.requireWaiting(List.of(WAITING, CompletableFuture.failedFuture(failure))))
                .withMessageContaining("for a test")
                .withCause(failure);
    }

    @Test
    void waiterThatEndsFailsTheBenchmark() {
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> IdleWaiterRun.requireWaiting(List.of(CompletableFuture.completedFuture(true))));
    }
}
