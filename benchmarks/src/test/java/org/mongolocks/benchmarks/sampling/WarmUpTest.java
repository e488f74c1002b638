package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.benchmarks.sampling.TestOperations.meet;
import static org.mongolocks.benchmarks.sampling.TestOperations.spin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.run.StubStrategy;
import org.mongolocks.benchmarks.sampling.Repetition.Operation;

class WarmUpTest {
    private static final int TURNS = 8;
    private static final long SLOW_NANOS = 2_000_000;

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final AtomicInteger repetitions = new AtomicInteger();
    private BenchmarkContext context;

    @BeforeEach
    void enter() throws InterruptedException {
        context = new BenchmarkRun(List.of(), RunLength.QUICK, Duration.ZERO, Duration.ofMinutes(1))
                .run(
                        server.environment(),
                        List.of(new StubStrategy("alpha", Set.of()), new StubStrategy("beta", Set.of())),
                        (step, steps, what) -> {},
                        (findings, missing) -> {});
    }

    @Test
    void slowOperationIsRepeatedInEveryTurn() throws InterruptedException {
        warmUp(Duration.ZERO, operation("alpha", repetitions::incrementAndGet));

        assertThat(repetitions).hasValue(TURNS);
    }

    @Test
    void operationIsWarmAfterManyRepetitions() throws InterruptedException {
        List<String> turns = new ArrayList<>();
        Operation slower = () -> {
            spin(SLOW_NANOS / 10);
            record(turns, "slower");
        };

        warmUp(Duration.ofSeconds(TURNS), operation("alpha", () -> record(turns, "fast")), operation("beta", slower));

        assertThat(turns).containsExactly("fast", "slower");
    }

    /** Which they are is known after the first turn. */
    @Test
    @Timeout(60)
    void slowOperationsRunSideBySide() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);

        warmUp(Duration.ZERO, operation("alpha", slow(both)), operation("beta", slow(both)));

        assertThat(repetitions).hasValue(2 * TURNS);
    }

    @Test
    void contenderThatFailsIsExcludedAndOthersGoOn() throws InterruptedException {
        MeasuredOperation failing = operation("alpha", () -> {
            throw new LockException("Broken");
        });

        warmUp(Duration.ZERO, failing, operation("beta", repetitions::incrementAndGet));

        assertThat(context.isIn("alpha")).isFalse();
        assertThat(repetitions).hasValue(TURNS);
    }

    @Test
    void excludedContenderIsNotRepeatedWithAnotherClient() throws InterruptedException {
        context.attempt("alpha", () -> {
            throw new LockException("Broken");
        });

        warmUp(Duration.ZERO, operation("alpha", repetitions::incrementAndGet));

        assertThat(repetitions).hasValue(0);
    }

    private Operation slow(CyclicBarrier both) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return () -> {
            spin(SLOW_NANOS);
            if (!isFirst.getAndSet(false)) {
                meet(both);
            }
            repetitions.incrementAndGet();
        };
    }

    /** Records the first repetition of each turn. */
    private static void record(List<String> turns, String operation) {
        if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(operation)) {
            turns.add(operation);
        }
    }

    private void warmUp(Duration time, MeasuredOperation... operations) throws InterruptedException {
        new WarmUp(context, List.of(operations)).run(time);
    }

    private static MeasuredOperation operation(String contender, Operation operation) {
        return MeasuredOperation.of(MeasurementKey.of("B1", contender, Client.SYNC), operation);
    }
}
