package org.mongolocks.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

@Tag("slow")
class BenchmarksTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                UncontendedBenchmark.class,
                DeniedBenchmark.class,
                ReentrantBenchmark.class,
                RenewalBenchmark.class,
                ManyLocksBenchmark.class,
                KeepAliveBenchmark.class,
                ContendedBenchmark.class
            })
    void everyBenchmarkRunsWithEachDriver(Class<?> benchmark) throws RunnerException {
        assertThat(new Runner(briefly(benchmark).build()).run())
                .isNotEmpty()
                .allSatisfy(result -> assertThat(
                                result.getPrimaryResult().getStatistics().getN())
                        .isPositive());
    }

    @Test
    void aViolationMakesTheBenchmarkFail() throws InterruptedException {
        LockState state = new LockState();
        state.client = Client.SYNC;
        state.strategy = "findandmodify-counter";
        state.open();

        // Locks with different names do not exclude each other, so that the older token can come last.
        BlockingLock older = state.acquire(LockState.request("one"));
        state.visitUnderLock(LockState.request("other"));
        state.visitAndRelease(older);

        assertThatThrownBy(state::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'findandmodify-counter' does not exclude");
    }

    /**
     * Runs in this JVM and for a short time; the figures are not used. The annotation processor of the build has
     * generated the classes that JMH needs.
     */
    private static OptionsBuilder briefly(Class<?> benchmark) {
        OptionsBuilder options = new OptionsBuilder();
        options.include(benchmark.getName() + "\\.")
                .param("strategy", "flag-update")
                .param("baseline", "TWO_FIND_AND_MODIFY")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(100))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        return options;
    }
}
