package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/**
 * Tests many runs of clients whose waits end at any time. A measured run fails if a lock is granted while another client
 * holds it.
 */
@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WaitingFuzzTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final int SEEDS = Integer.getInteger("study.seeds", 60);
    private static final long STARVED_NANOS = 5_000_000_000L;
    private static final double DEAD_CLIENTS_MILLIS = 2_500;

    @BeforeAll
    static void silenceLog() {
        LOCKS.setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void freeLockIsGrantedSoonAndNoWaiterStarves(Order order) {
        List<Long> failed = failed(
                new WaitingCase(Load.INTERRUPTED, order, WaitingWorkersTest.counter(), 8, 1),
                result -> result.lateHandovers() == 0
                        && result.longestWaitNanos() < STARVED_NANOS
                        && result.leastGrants() > 0);

        assertThat(failed).as("seeds of %s", SEEDS).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void clientsThatDieDelayTheOthersABoundedTime(Order order) {
        List<Long> failed = failed(
                new WaitingCase(Load.HALF_DIE, order, WaitingWorkersTest.counter(), 8, 1),
                result -> result.handoverMillis(1).orElseThrow() <= DEAD_CLIENTS_MILLIS && result.leastGrants() > 0);

        assertThat(failed).as("seeds of %s", SEEDS).isEmpty();
    }

    private static List<Long> failed(WaitingCase one, Predicate<WaitingResult> isFine) {
        return LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .filter(seed -> !isFine.test(WaitingWorkers.run(one, seed)))
                .boxed()
                .toList();
    }
}
