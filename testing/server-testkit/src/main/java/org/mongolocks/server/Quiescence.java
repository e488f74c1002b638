package org.mongolocks.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * The state in which every other thread of this JVM sleeps. Clients, drivers, the proxy and the embedded server all run
 * in this JVM. So the only commands in flight wait for the clock or for the test, and nothing happens until the clock
 * moves.
 *
 * <p>On Linux the state comes from the scheduler: a thread that was woken counts as running even before it gets a
 * processor, which is what takes long on a busy machine. A Java thread state would still be {@code WAITING}. Where
 * there is no {@code /proc}, the threads get a short delay instead.
 */
final class Quiescence {
    private static final boolean IS_LINUX = ThreadFiles.areReadable();

    /** How often in sequence no thread must be seen running, as a message may be on its way at one look. */
    private static final int LOOKS = 3;

    /** The time between two looks. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * A message on its way through the kernel shows in no thread's state. It arrives within a few scheduling delays, such
     * as those that this thread meets when it wakes up; on a busy machine also later, which the sockets show.
     */
    private static final int DELAYS = 8;

    /** Drivers check servers behind a proxy every 50 ms, so the threads never sleep for longer than that. */
    private static final long MAX_QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

    /** A socket whose peer does not read may keep bytes for ever. */
    private static final long MAX_TRANSIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** With longer delays than this the machine is busy. */
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** On a busy machine, each thread waits long for a processor. */
    private static final int TIMEOUT_FACTOR = 2;

    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Quiescence() {}

    /** Waits until all other threads sleep; fails with the names of the running threads if that takes too long. */
    static synchronized void await() {
        if (!IS_LINUX) {
            LockSupport.parkNanos(MOMENT_NANOS);
            return;
        }
        Duration timeout = Eventually.timeout.multipliedBy(TIMEOUT_FACTOR);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        long quietSince = System.nanoTime();
        long longestDelayNanos = 0;
        int quietLooks = 0;
        boolean wasStill = false;
        while (!wasStill || quietLooks < LOOKS || isTooSoon(quietSince, longestDelayNanos)) {
            boolean isOnTheWay = longestDelayNanos > BUSY_NANOS
                    && System.nanoTime() - quietSince < MAX_TRANSIT_NANOS
                    && Sockets.haveBytesInTransit();
            Look look = Look.take();
            long lookedAt = System.nanoTime();
            if (!look.running().isEmpty()) {
                quietSince = lookedAt;
            }
            if (isOnTheWay || !look.running().isEmpty()) {
                quietLooks = 0;
                wasStill = false;
            } else {
                quietLooks++;
                wasStill |= look.active().isEmpty();
            }
            requireBefore(deadlineNanos, timeout, look);
            LockSupport.parkNanos(LOOK_NANOS);
            longestDelayNanos = Math.max(longestDelayNanos, System.nanoTime() - lookedAt - LOOK_NANOS);
        }
    }

    private static boolean isTooSoon(long quietSince, long longestDelayNanos) {
        return System.nanoTime() - quietSince < Math.min(MAX_QUIET_NANOS, DELAYS * longestDelayNanos);
    }

    private static void requireBefore(long deadlineNanos, Duration timeout, Look look) {
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new AssertionError("Within " + timeout + " not all threads were asleep; running: " + look.active());
        }
    }

    /**
     * The Java threads of this JVM but the current one. Each was read twice.
     *
     * @param running the names of the threads that ran, or waited for a processor, when they were read
     * @param active the names of these, and of threads that were given a processor meanwhile
     */
    private record Look(Set<String> running, Set<String> active) {
        /**
         * Reads all threads, and then all again: while they are read once, work that moves from thread to thread may evade
         * the reader. A thread that sleeps at both readings, and was given no processor from before the first to after the
         * second, slept all the time between. So if no thread is active, there was a time at which all slept.
         */
        static Look take() {
            Look look = new Look(new TreeSet<>(), new TreeSet<>());
            Set<String> names = javaThreads();
            Map<ThreadFiles, String> turnsBefore = new HashMap<>();
            for (ThreadFiles thread : ThreadFiles.ofOthers()) {
                String turns = thread.turns();
                thread.status().filter(status -> names.contains(status.name())).ifPresent(status -> {
                    turnsBefore.put(thread, turns);
                    look.add(status, false);
                });
            }
            turnsBefore.forEach((thread, turns) -> {
                ThreadStatus status = thread.status().orElse(ThreadStatus.ENDED);
                look.add(status, !thread.turns().equals(turns));
            });
            return look;
        }

        private void add(ThreadStatus thread, boolean hadTurns) {
            if (thread.isRunning()) {
                running.add(thread.name());
            }
            if (thread.isRunning() || hadTurns) {
                active.add(thread.name());
            }
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
                String name = threads[i].getName();
                names.add(name.substring(0, Math.min(ThreadStatus.NAME_LENGTH, name.length())));
            }
            return names;
        }
    }

    /**
     * A thread at one moment.
     *
     * @param isRunning whether it ran or waited for a processor, or holds a reply that will go on by itself
     */
    private record ThreadStatus(String name, boolean isRunning) {
        static final ThreadStatus ENDED = new ThreadStatus("an ended thread", false);
        /** The kernel truncates thread names to this length. */
        static final int NAME_LENGTH = 15;

        /** Reads the text of a {@code stat} file. */
        static ThreadStatus of(String stat) {
            int end = stat.lastIndexOf(')');
            char state = stat.charAt(end + 2);
            String name = stat.substring(stat.indexOf('(') + 1, end);
            return new ThreadStatus(name, state == 'R' || state == 'D' || name.equals(FaultProxy.DELAYED_REPLY));
        }
    }

    /** The kernel's files of a thread. They stay open: opening one takes much longer than reading it again. */
    private static final class ThreadFiles {
        private static final Path THREADS = Path.of("/proc/self/task");
        private static final Path MINE = Path.of("/proc/thread-self");
        /** The name and the state, and all of the turns, are at the beginnings of the files. */
        private static final int BEGINNING = 64;

        private static final Map<String, ThreadFiles> OPEN = new HashMap<>();

        private final RandomAccessFile stat;
        private final RandomAccessFile schedstat;

        private ThreadFiles(Path directory) throws IOException {
            this.stat = new RandomAccessFile(directory.resolve("stat").toFile(), "r");
            this.schedstat = new RandomAccessFile(directory.resolve("schedstat").toFile(), "r");
        }

        static boolean areReadable() {
            return Files.isDirectory(THREADS) && Files.isReadable(MINE.resolve("schedstat"));
        }

        /** Returns the files of all threads but the current one. */
        static Set<ThreadFiles> ofOthers() {
            try (DirectoryStream<Path> tasks = Files.newDirectoryStream(THREADS)) {
                Map<String, ThreadFiles> found = new HashMap<>();
                for (Path task : tasks) {
                    open(task).ifPresent(files -> found.put(task.getFileName().toString(), files));
                }
                for (ThreadFiles ended : OPEN.values()) {
                    ended.close();
                }
                OPEN.clear();
                OPEN.putAll(found);
                found.remove(MINE.toRealPath().getFileName().toString());
                return Set.copyOf(found.values());
            } catch (IOException e) {
                throw new IllegalStateException("The threads of this JVM cannot be read from " + THREADS, e);
            }
        }

        /** Empty if the thread has ended since it was listed. */
        private static Optional<ThreadFiles> open(Path task) {
            ThreadFiles known = OPEN.remove(task.getFileName().toString());
            try {
                return Optional.of(known == null ? new ThreadFiles(task) : known);
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        /** Returns the status; empty if the thread has ended. */
        Optional<ThreadStatus> status() {
            String text = read(stat);
            return text.isEmpty() ? Optional.empty() : Optional.of(ThreadStatus.of(text));
        }

        /** Returns a text that changes each time that the thread is given a processor. */
        String turns() {
            return read(schedstat);
        }

        private void close() throws IOException {
            stat.close();
            schedstat.close();
        }

        private static String read(RandomAccessFile file) {
            try {
                byte[] bytes = new byte[BEGINNING];
                file.seek(0);
                int length = file.read(bytes);
                return length < 0 ? "" : new String(bytes, 0, length, ISO_8859_1);
            } catch (IOException e) {
                return "";
            }
        }
    }

    /** The TCP sockets of this JVM, as the kernel shows them. */
    private static final class Sockets {
        private static final List<Path> TABLES = List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));
        private static final Path FILES = Path.of("/proc/self/fd");
        private static final String ESTABLISHED = "01";
        private static final String NO_BYTES_TO_SEND = "00000000:";

        /** Returns whether a peer has not confirmed yet that it has all bytes. */
        static boolean haveBytesInTransit() {
            Set<String> sending = new HashSet<>();
            try {
                for (Path table : TABLES) {
                    Files.readAllLines(table).stream()
                            .map(line -> line.strip().split(" +"))
                            .filter(columns -> columns[3].equals(ESTABLISHED))
                            .filter(columns -> !columns[4].startsWith(NO_BYTES_TO_SEND))
                            .forEach(columns -> sending.add("socket:[" + columns[9] + "]"));
                }
                return !sending.isEmpty() && isOwnAnyOf(sending);
            } catch (IOException e) {
                throw new IllegalStateException("The sockets of this JVM cannot be read from " + TABLES, e);
            }
        }

        private static boolean isOwnAnyOf(Set<String> sockets) throws IOException {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(FILES)) {
                for (Path file : files) {
                    if (target(file).filter(sockets::contains).isPresent()) {
                        return true;
                    }
                }
                return false;
            }
        }

        /** Empty if the file was closed meanwhile. */
        private static Optional<String> target(Path file) {
            try {
                return Optional.of(Files.readSymbolicLink(file).toString());
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }
}
