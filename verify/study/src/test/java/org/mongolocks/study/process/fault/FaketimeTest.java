package org.mongolocks.study.process.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the wall clock of a process is wrong, and its monotonic clock is not. */
class FaketimeTest {
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

    private static String[] run(Faketime faketime, ClockSkew clock) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-cp",
                Path.of("target", "test-classes").toString(),
                Waiting.class.getName());
        builder.environment().putAll(faketime.environment(clock));
        Process process = builder.start();
        try (var out = process.inputReader()) {
            return out.readLine().split(" ", -1);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void timedWaitsLastAsLongAsTheyShouldAndTheWallClockIsAhead() throws IOException {
        Optional<Faketime> faketime = Faketime.find();
        assumeTrue(faketime.isPresent(), "faketime is not installed");

        String[] printed = run(faketime.get(), ClockSkew.ahead(10));

        assertThat(Long.parseLong(printed[0]) - System.currentTimeMillis()).isBetween(9 * 60_000L, 10 * 60_000L);
        // Any single wait may end early, as a spurious wake-up.
        assertThat(Integer.parseInt(printed[1])).isLessThan(TIMES / 2);
    }
}
