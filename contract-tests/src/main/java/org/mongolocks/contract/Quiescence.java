package org.mongolocks.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The state in which every other thread of this JVM sleeps. Clients, drivers, the proxy and the embedded server all run
 * in it, so that then no command is under way, but such as wait for the clock or for the test, and nothing happens until
 * the clock is moved or runs on.
 *
 * <p>On Linux the scheduler is asked: a thread that was woken counts as running although no processor has come to it yet,
 * and that is what lasts long on a busy machine. A Java thread state would still be {@code WAITING}. Where there is no
 * {@code /proc}, the threads are given a moment.
 */
final class Quiescence {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path MINE = Path.of("/proc/thread-self");
    private static final boolean IS_LINUX = Files.isReadable(MINE) && Files.isDirectory(THREADS);

    /** A look takes time itself; work that wanders from thread to thread may stay ahead of one, not of several. */
    private static final int LOOKS = 3;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The kernel keeps so much of a thread's name. */
    private static final int SHORT_NAME = 15;

    private Quiescence() {}

    /** Waits until all other threads sleep; fails, and names those that run, if that takes too long. */
    static void await() {
        if (!IS_LINUX) {
            LockSupport.parkNanos(MOMENT_NANOS);
            return;
        }
        long deadlineNanos = System.nanoTime() + Soon.patience.toNanos();
        for (int quietLooks = 0; quietLooks < LOOKS; ) {
            Set<String> running = running();
            quietLooks = running.isEmpty() ? quietLooks + 1 : 0;
            if (!running.isEmpty() && System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Within " + Soon.patience
                        + " the threads did not come to rest; these were running: " + running);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Returns the names of the Java threads that run or wait for a processor, without this one. */
    private static Set<String> running() {
        Set<String> javaThreads = Thread.getAllStackTraces().keySet().stream()
                .map(thread -> shortened(thread.getName()))
                .collect(Collectors.toSet());
        Set<String> running = new TreeSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(THREADS)) {
            Path mine = MINE.toRealPath().getFileName();
            for (Path task : tasks) {
                if (!task.getFileName().equals(mine)) {
                    runningName(task).filter(javaThreads::contains).ifPresent(running::add);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("The threads of this JVM cannot be read from " + THREADS, e);
        }
        return running;
    }

    /** Empty if the thread sleeps, or has ended since it was listed. */
    private static Optional<String> runningName(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"), ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2);
            boolean sleeps = state != 'R' && state != 'D';
            return sleeps
                    ? Optional.empty()
                    : Optional.of(stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String shortened(String name) {
        return name.substring(0, Math.min(SHORT_NAME, name.length()));
    }
}
