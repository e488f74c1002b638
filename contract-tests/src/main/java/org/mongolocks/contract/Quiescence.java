package org.mongolocks.contract;

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

    /**
     * What is on its way through the kernel, between a thread that sent it and one that waits for it, shows in no thread's
     * state. It arrives within a few delays like those that this thread meets when it wakes up.
     */
    private static final int DELAYS = 8;

    /** Drivers look at their servers behind a proxy every 50 ms: no longer silence can be asked for. */
    private static final long MAX_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** On a busy machine it takes longer until all threads have had a processor. */
    private static final int PATIENCE_TO_REST = 2;

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** The kernel keeps so much of a thread's name. */
    private static final int SHORT_NAME = 15;
    /** The state and the name are at the beginning of a file, whose rest is numbers. */
    private static final int BEGINNING = 64;

    /** The state of each thread, as an open file: opening one takes much longer than reading it again. */
    private static final Map<String, RandomAccessFile> STATES = new HashMap<>();

    private Quiescence() {}

    /** Waits until all other threads sleep; fails, and names those that run, if that takes too long. */
    static synchronized void await() {
        if (!IS_LINUX) {
            LockSupport.parkNanos(MOMENT_NANOS);
            return;
        }
        Duration patience = Soon.patience.multipliedBy(PATIENCE_TO_REST);
        long deadlineNanos = System.nanoTime() + patience.toNanos();
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
                requireBefore(deadlineNanos, patience, running);
            }
            LockSupport.parkNanos(LOOK_NANOS);
            longestDelayNanos = Math.max(longestDelayNanos, System.nanoTime() - lookedAt - LOOK_NANOS);
        }
    }

    private static boolean isTooSoon(long quietSince, long longestDelayNanos) {
        return System.nanoTime() - quietSince < Math.min(MAX_QUIET_NANOS, DELAYS * longestDelayNanos);
    }

    private static void requireBefore(long deadlineNanos, Duration patience, Set<String> running) {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new AssertionError(
                    "Within " + patience + " the threads did not come to rest; these were running: " + running);
        }
    }

    /** Returns the names of the Java threads that run or wait for a processor, without this one. */
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

    /** Returns the names as the kernel has them; others are of threads of the JVM itself. */
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

    /** Empty if the thread sleeps, or has ended since it was listed. */
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
