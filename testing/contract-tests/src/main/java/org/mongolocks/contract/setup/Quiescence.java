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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

    /**
     * How often all threads must be seen asleep: reading takes time, and work that moves from thread to thread may
     * evade one reading, but not several.
     */
    private static final int LOOKS = 3;

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

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The kernel truncates thread names to this length. */
    private static final int SHORT_NAME = 15;
    /** How many bytes to read: the state and the name are at the beginning of the file, followed by numbers. */
    private static final int BEGINNING = 64;

    /** The open stat file of each thread: opening one takes much longer than reading it again. */
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
        for (int quietLooks = 0; quietLooks < LOOKS || isTooSoon(quietSince, longestDelayNanos); ) {
            Set<String> running = running();
            long lookedAt = System.nanoTime();
            if (running.isEmpty()) {
                quietLooks++;
            } else {
                quietLooks = 0;
                quietSince = lookedAt;
                requireBefore(deadlineNanos, timeout, running);
            }
            LockSupport.parkNanos(LOOK_NANOS);
            longestDelayNanos = Math.max(longestDelayNanos, System.nanoTime() - lookedAt - LOOK_NANOS);
        }
    }

    private static boolean isTooSoon(long quietSince, long longestDelayNanos) {
        return System.nanoTime() - quietSince < Math.min(MAX_QUIET_NANOS, DELAYS * longestDelayNanos);
    }

    private static void requireBefore(long deadlineNanos, Duration timeout, Set<String> running) {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new AssertionError("Within " + timeout + " not all threads were asleep; running: " + running);
        }
    }

    /** Returns the names of the Java threads that run or wait for a processor, without the current one. */
    private static Set<String> running() {
        Set<String> javaThreads = javaThreads();
        Set<String> running = new TreeSet<>();
        try {
            String mine = MINE.toRealPath().getFileName().toString();
            Set<String> ids = threadIds();
            closeAllBut(ids);
            ids.remove(mine);
            for (String id : ids) {
                runningName(id).filter(javaThreads::contains).ifPresent(running::add);
            }
        } catch (IOException e) {
            throw new IllegalStateException("The threads of this JVM cannot be read from " + THREADS, e);
        }
        return running;
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

    /** Returns the name of a thread that runs; empty if it sleeps, or has ended since it was listed. */
    private static Optional<String> runningName(String id) throws IOException {
        String stat;
        try {
            stat = beginning(id);
        } catch (IOException e) {
            close(id);
            return Optional.empty();
        }
        char state = stat.charAt(stat.lastIndexOf(')') + 2);
        boolean sleeps = state != 'R' && state != 'D';
        return sleeps ? Optional.empty() : Optional.of(stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
    }

    private static String beginning(String id) throws IOException {
        RandomAccessFile file = STATES.get(id);
        if (file == null) {
            file = new RandomAccessFile(THREADS.resolve(id).resolve("stat").toFile(), "r");
            STATES.put(id, file);
        }
        byte[] bytes = new byte[BEGINNING];
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
}
