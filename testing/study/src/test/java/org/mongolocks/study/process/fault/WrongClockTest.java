package org.mongolocks.study.process.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.process.message.ChildMessage.Clocks;

/** Tests that the clock of a process is wrong as it should be: a row with correct clocks would look like a success. */
class WrongClockTest {
    private static final Clocks NOW = new Clocks(0, 1_000_000);

    private static Clocks later(Duration real, Duration shown) {
        return new Clocks(NOW.nanos() + real.toNanos(), NOW.wallMillis() + shown.toMillis());
    }

    @Test
    void aClockThatIsAheadAsItShouldBeIsAccepted() {
        assertThat(WrongClock.ahead(Duration.ofMinutes(10))
                        .complaint(later(Duration.ZERO, Duration.ofMinutes(10)), NOW))
                .isEmpty();
    }

    @Test
    void aClockThatIsRightAfterAllIsNoticed() {
        assertThat(WrongClock.ahead(Duration.ofMinutes(10)).complaint(NOW, NOW))
                .hasValue("its clock should be ahead by PT10M, and is by PT0S");
        assertThat(WrongClock.ahead(Duration.ofMinutes(-10)).complaint(NOW, NOW))
                .isPresent();
    }

    @Test
    void aClockThatGoesAsFastAsTimeIsNoticed() {
        Clocks end = later(Duration.ofSeconds(5), Duration.ofSeconds(5));

        assertThat(WrongClock.fast(2).complaintAtEnd(NOW, end))
                .hasValue("its clock should go 2.0 times as fast as time, and goes 1.0");
    }

    @Test
    void aClockThatGoesTwiceAsFastIsAccepted() {
        assertThat(WrongClock.fast(2).complaintAtEnd(NOW, later(Duration.ofSeconds(5), Duration.ofSeconds(10))))
                .isEmpty();
    }

    private static final int TIMES = 20;
    private static final long WAIT_MILLIS = 5;

    /** The program that runs with a wrong clock: it waits, and prints its wall clock and how many waits ended early. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] arguments) throws InterruptedException {
            int early = 0;
            for (int i = 0; i < TIMES; i++) {
                long started = System.nanoTime();
                java.util.concurrent.locks.LockSupport.parkNanos(WAIT_MILLIS * 1_000_000);
                early += System.nanoTime() - started < WAIT_MILLIS * 500_000 ? 1 : 0;
            }
            System.out.println(System.currentTimeMillis() + " " + early);
        }
    }

    private static String[] run(Path library, WrongClock clock) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                Path.of("target", "test-classes").toString(),
                Waiting.class.getName());
        builder.environment().putAll(clock.environment(library));
        Process process = builder.start();
        try (var out = process.inputReader()) {
            return out.readLine().split(" ", -1);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void timedWaitsLastAsLongAsTheyShouldAndTheWallClockIsAhead() throws IOException {
        Optional<Path> faketime = WrongClock.library();
        assumeTrue(faketime.isPresent(), "faketime is not installed");

        String[] printed = run(faketime.get(), WrongClock.ahead(Duration.ofMinutes(10)));

        assertThat(Long.parseLong(printed[0]) - System.currentTimeMillis()).isBetween(9 * 60_000L, 10 * 60_000L);
        // Any single wait may end early, as a spurious wake-up.
        assertThat(Integer.parseInt(printed[1])).isLessThan(TIMES / 2);
    }
}
