package org.mongolocks.benchmarks.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.EmbeddedEnvironment;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/** Rounds of a second each in a time that only the tests advance. */
class RoundsTest {
    private static final Duration SAMPLE = Duration.ofMillis(250);
    private static final int SAMPLES = 4;

    @AutoClose
    private final EmbeddedEnvironment server = new EmbeddedEnvironment();

    private final AtomicLong now = new AtomicLong(-7);

    @Test
    void roundsThatFitRunAfterAWarmUp() throws InterruptedException {
        assertThat(counted(seconds(6), 1, seconds(1))).containsExactly(2, 3, 4, 5, 6);
    }

    @Test
    void roundsThatTakeLongerThanPlannedAreFewer() throws InterruptedException {
        assertThat(counted(seconds(6), 1, seconds(4))).containsExactly(2);
    }

    @Test
    void missingRoundsRunBeyondTheTime() throws InterruptedException {
        assertThat(counted(seconds(6), 3, seconds(3))).containsExactly(2, 3, 4);
        assertThat(counted(seconds(2), 3, seconds(1))).containsExactly(1, 2, 3);
    }

    @Test
    void missingRoundsEndBeforeTheLimit() throws InterruptedException {
        assertThat(counted(seconds(6), 6, seconds(4))).containsExactly(2, 3, 4);
        assertThat(counted(seconds(1), 3, seconds(2))).containsExactly(1);
        assertThat(counted(seconds(1), 3, seconds(9))).containsExactly(1);
    }

    @Test
    void missingRoundsHaveTheTimeUntilTheLimit() throws InterruptedException {
        RoundBudget late = new RoundBudget(now::get, seconds(1), seconds(9), 3);
        List<Integer> numbers = new ArrayList<>();

        Rounds.within(context(RunLength.NORMAL), late, SAMPLES, SAMPLE).each(round -> {
            now.addAndGet(seconds(3).toNanos());
            numbers.add(round.number());
        });

        assertThat(numbers).containsExactly(1, 2, 3);
    }

    @Test
    void samplesAreNoShorterThanUsefulUnlessTheTimeIs() throws InterruptedException {
        assertThat(rounds(seconds(2), 3).sampleTime()).isEqualTo(SAMPLE);
        assertThat(rounds(seconds(30), 3).sampleTime()).isEqualTo(SAMPLE);
        assertThat(rounds(Duration.ofMillis(400), 3).sampleTime()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void moreTimeMakesMoreRounds() throws InterruptedException {
        assertThat(counted(seconds(12), 3, seconds(1))).hasSize(11);
        assertThat(counted(seconds(1_200), 3, seconds(1))).hasSize(1_199);
    }

    @Test
    void partsOfARoundAreNumberedThrough() {
        assertThat(List.of(new Round(1, true), new Round(2, true)))
                .flatMap(round -> round.parts(2))
                .extracting(Round::number)
                .containsExactly(1, 2, 3, 4);
        assertThat(new Round(5, false).parts(1)).containsExactly(new Round(5, false));
    }

    @Test
    void quickRunHasNoWarmUpRound() throws InterruptedException {
        RoundBudget budget = new RoundBudget(now::get, seconds(6), seconds(6), 1);

        assertThat(Rounds.within(context(RunLength.QUICK), budget, SAMPLES, SAMPLE)
                        .warmsUp())
                .isFalse();
    }

    /** Returns the numbers of the rounds that count, each of which takes some time. */
    private List<Integer> counted(Duration time, int least, Duration each) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        rounds(time, least).each(round -> {
            now.addAndGet(each.toNanos());
            if (round.counts()) {
                numbers.add(round.number());
            }
        });
        return numbers;
    }

    private Rounds rounds(Duration time, int least) throws InterruptedException {
        return Rounds.within(
                context(RunLength.NORMAL),
                new RoundBudget(now::get, time, time.multipliedBy(3), least),
                SAMPLES,
                SAMPLE);
    }

    private BenchmarkContext context(RunLength length) throws InterruptedException {
        return new BenchmarkRun(List.of(), length, Duration.ofSeconds(1), Duration.ofMinutes(1))
                .run(server.environment(), List.of(), (step, steps, what) -> {}, (findings, missing) -> {});
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }
}
