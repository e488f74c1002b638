package org.mongolocks.contract.setup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;

/**
 * The state in which every other thread of this JVM sleeps. Clients, drivers, the proxy and the embedded server all run
 * in this JVM, so that then no command is in flight except those that wait for the clock or for the test, and nothing
 * happens until the clock moves.
 *
 * <p>On Linux the state comes from the scheduler: a thread that was woken counts as running even before it gets a
 * processor, which is what takes long on a busy machine. A Java thread state would still be {@code WAITING}. Where
 * there is no {@code /proc}, the threads get a short delay instead.
 */
final class Quiescence {
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path MINE = Path.of("/proc/thread-self");
    private static final boolean IS_LINUX = Files.isReadable(MINE) && Files.isDirectory(THREADS);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A message on its way through the kernel shows in no thread's state. It arrives within a few scheduling delays, such
     * as those that this thread meets when it wakes up.
     */
    private static final int DELAYS = 8;

    /** Drivers check servers behind a proxy every 50 ms, so the threads never sleep for longer than that. */
    private static final long MAX_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** On a busy machine, each thread waits long for a processor. */
    private static final int TIMEOUT_FACTOR = 2;

    /** Running or waiting for a processor; waiting for a disk. */
    private static final Set<String> RUNNING = Set.of("R", "D");

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The kernel truncates thread names to this length. */
    private static final int SHORT_NAME = 15;
    /** More bytes than a status file has. */
    private static final int STATUS_BYTES = 4096;

    private static final Pattern STATUS =
            Pattern.compile("Name:\\t(.*)\n(?s:.*)\nState:\\t(.)(?s:.*)\nvoluntary_ctxt_switches:\\t(\\d+)\n");

    /** The open status file of each thread: opening one takes much longer than reading it again. */
    private static final Map<String, RandomAccessFile> STATES = new HashMap<>();

    private Quiescence() {}

    /** Waits until all other threads sleep; fails with the names of those that run if that takes too long. */
    static synchronized void await() {
        if (!IS_LINUX) {
            LockSupport.parkNanos(MOMENT_NANOS);
            return;
        }
        Duration timeout = Eventually.timeout.multipliedBy(TIMEOUT_FACTOR);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        long quietSince = System.nanoTime();
        long longestDelayNanos = 0;
        boolean wasStill = false; // for the time between two looks
        Look last = look();
        while (!wasStill || isTooSoon(quietSince, longestDelayNanos)) {
            long lookedAt = System.nanoTime();
            LockSupport.parkNanos(LOOK_NANOS);
            longestDelayNanos = Math.max(longestDelayNanos, System.nanoTime() - lookedAt - LOOK_NANOS);
            Look next = look();
            Set<String> active = next.activeSince(last);
            if (next.isQuiet()) {
                wasStill |= active.isEmpty();
            } else {
                wasStill = false;
                quietSince = System.nanoTime();
            }
            requireBefore(deadlineNanos, timeout, active);
            last = next;
        }
    }

    private static boolean isTooSoon(long quietSince, long longestDelayNanos) {
        return System.nanoTime() - quietSince < Math.min(MAX_QUIET_NANOS, DELAYS * longestDelayNanos);
    }

    private static void requireBefore(long deadlineNanos, Duration timeout, Set<String> active) {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new AssertionError("Within " + timeout + " not all threads were asleep; active: " + active);
        }
    }

    /** Reads the states of all Java threads but the current one. */
    private static Look look() {
        Set<String> javaThreads = javaThreads();
        Map<String, ThreadStatus> threads = new HashMap<>();
        try {
            String mine = MINE.toRealPath().getFileName().toString();
            Set<String> ids = threadIds();
            closeAllBut(ids);
            ids.remove(mine);
            for (String id : ids) {
                status(id).filter(thread -> javaThreads.contains(thread.name())).ifPresent(it -> threads.put(id, it));
            }
        } catch (IOException e) {
            throw new IllegalStateException("The threads of this JVM cannot be read from " + THREADS, e);
        }
        return new Look(threads);
    }

    /** Returns the names of the Java threads as the kernel has them; threads of the JVM itself have others. */
    private static Set<String> javaThreads() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[2 * all.activeCount() + 16];
        int count = all.enumerate(threads);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            names.add(shortened(threads[i].getName()));
        }
        return names;
    }

    private static Set<String> threadIds() throws IOException {
        Set<String> ids = new HashSet<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(THREADS)) {
            tasks.forEach(task -> ids.add(task.getFileName().toString()));
        }
        return ids;
    }

    private static void closeAllBut(Set<String> ids) throws IOException {
        for (String ended : Set.copyOf(STATES.keySet())) {
            if (!ids.contains(ended)) {
                close(ended);
            }
        }
    }

    private static void close(String id) throws IOException {
        RandomAccessFile state = STATES.remove(id);
        if (state != null) {
            state.close();
        }
    }

    /** Returns the status of a thread; empty if it has ended since it was listed. */
    private static Optional<ThreadStatus> status(String id) throws IOException {
        Matcher status;
        try {
            status = STATUS.matcher(read(id));
        } catch (IOException e) {
            close(id);
            return Optional.empty();
        }
        return status.lookingAt()
                ? Optional.of(new ThreadStatus(
                        status.group(1), RUNNING.contains(status.group(2)), Long.parseLong(status.group(3))))
                : Optional.empty();
    }

    private static String read(String id) throws IOException {
        RandomAccessFile file = STATES.get(id);
        if (file == null) {
            file = new RandomAccessFile(THREADS.resolve(id).resolve("status").toFile(), "r");
            STATES.put(id, file);
        }
        byte[] bytes = new byte[STATUS_BYTES];
        file.seek(0);
        int length = file.read(bytes);
        if (length < 0) {
            throw new IOException("Thread " + id + " has ended");
        }
        return new String(bytes, 0, length, ISO_8859_1);
    }

    private static String shortened(String name) {
        return name.substring(0, Math.min(SHORT_NAME, name.length()));
    }

    /**
     * A thread at one moment.
     *
     * @param isRunning whether it ran or waited for a processor
     * @param sleeps how often it has gone to sleep
     */
    private record ThreadStatus(String name, boolean isRunning, long sleeps) {}

    /** The threads as they were read, one after the other. */
    private record Look(Map<String, ThreadStatus> threads) {
        boolean isQuiet() {
            return threads.values().stream().noneMatch(ThreadStatus::isRunning);
        }

        /**
         * Returns the names of the threads that ran at a look or between both, or have ended. One look alone may miss work that moves
         * from thread to thread while they are read; if none ran between two looks, no work was under way.
         */
        Set<String> activeSince(Look last) {
            return Stream.of(this, last)
                    .flatMap(look -> look.threads.entrySet().stream())
                    .filter(thread -> thread.getValue().isRunning()
                            || !Objects.equals(threads.get(thread.getKey()), last.threads.get(thread.getKey())))
                    .map(thread -> thread.getValue().name())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
