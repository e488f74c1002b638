package org.mongolocks.study.process.child;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageLine;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.message.ParentMessage.Driver;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * The main program of a process that contends for locks until its parent stops it. It exits at once if its parent
 * has exited.
 */
public final class ChildMain {
    /**
     * How long a client tries to reach its server at the start, before it reports why it cannot. A parent waits longer.
     */
    public static final Duration START_LIMIT = Duration.ofSeconds(60);

    private static final int FAILED = 1;
    private static final int ORPHANED = 3;
    private static final Duration THREADS_END = Duration.ofSeconds(20);

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out;
    private final AtomicLong commands = new AtomicLong();
    private final Map<Driver, DriverConnection> connections = new EnumMap<>(Driver.class);
    private final List<RecordedLocks> clients = new ArrayList<>();
    private final List<ChildWorker> workers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private ChildMain(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the process, whose output is for its parent.
     *
     * @param arguments none
     * @throws InterruptedException never, because no thread interrupts the main thread
     */
    public static void main(String[] arguments) throws InterruptedException {
        ChildMain child =
                new ChildMain(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.setOut(System.err);
        child.tell(new ChildMessage.Hello(Clocks.now()));
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> child.fail(thread, e));
        child.serve();
    }

    void tell(ChildMessage report) {
        out.println(MessageLine.of((Record) report));
    }

    /** Returns how many commands were sent to the server so far. */
    long commands() {
        return commands.get();
    }

    /** Reports an exception that ended a thread, whichever thread it was, and exits. */
    private void fail(Thread thread, Throwable e) {
        try {
            String cause = e.getCause() == null ? "" : ", caused by " + e.getCause();
            tell(new ChildMessage.Trouble("thread " + thread.getName() + ": " + e + cause));
        } finally {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void serve() throws InterruptedException {
        while (true) {
            ParentMessage order = receive();
            if (order instanceof ParentMessage.Start start) {
                begin(start);
            } else if (order instanceof ParentMessage.Answer answer) {
                workers.get(answer.worker() - 1).answered(answer);
            } else if (order instanceof ParentMessage.Measure) {
                tell(usage());
            } else {
                workers.forEach(ChildWorker::stop);
                // Meanwhile requests in flight still get a reply.
                new Thread(this::end, "end").start();
            }
        }
    }

    private void begin(ParentMessage.Start config) throws InterruptedException {
        Column column =
                config.isLibrary() ? Library.named(config.technique()) : RealTechniques.named(config.technique());
        RecordedLocks client =
                new RecordedLocks(column, opening(column, config), event -> tell(new ChildMessage.Happened(event)));
        clients.add(client);
        for (int i = 1; i <= config.workers(); i++) {
            ChildWorker worker = new ChildWorker(workers.size() + 1, this, client, config);
            Thread thread = new Thread(worker, "worker-" + (workers.size() + 1));
            workers.add(worker);
            threads.add(thread);
            thread.start();
        }
    }

    private RecordedLocks.Opening opening(Column column, ParentMessage.Start config) {
        if (column instanceof Library library) {
            return () -> PeerTestedLocks.open(library, config.place());
        }
        Technique technique = (Technique) column;
        DriverConnection connection = connections.computeIfAbsent(
                config.driver(), driver -> LibraryLocks.connect(config.place(), technique, driver, commands));
        return () -> new LibraryLocks(connection, config.place(), technique, LibraryLocks.SHORT_TIMEOUT);
    }

    private void end() {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
            clients.forEach(RecordedLocks::close);
            connections.values().forEach(DriverConnection::close);
            tell(new ChildMessage.Bye(Clocks.now(), leftThreads()));
            System.exit(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ChildMessage.Usage usage() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        List<String> all = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .toList();
        long pooled =
                clients.stream().mapToLong(client -> client.locks().pooled(all)).sum();
        return new ChildMessage.Usage(
                runtime.totalMemory() - runtime.freeMemory(), all.size(), (int) (all.size() - pooled));
    }

    /** Returns how many threads of closed clients are left; waits for a while for threads that are about to end. */
    private static int leftThreads() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + THREADS_END.toNanos();
        while (libraryThreads() > 0 && System.nanoTime() - deadlineNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return libraryThreads();
    }

    /** Threads of a client are found by the prefix of their names, which is the same on both drivers. */
    private static int libraryThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mongo-locks"))
                .count();
    }

    /**
     * Receives a message, and halts the JVM if the parent has exited: no process should outlive it, whatever its
     * threads are doing.
     */
    private ParentMessage receive() {
        try {
            String line = in.readLine();
            if (line != null) {
                return MessageLine.read(ParentMessage.class, line);
            }
        } catch (IOException e) {
            // The parent has exited.
        }
        Runtime.getRuntime().halt(ORPHANED);
        throw new IllegalStateException();
    }
}
