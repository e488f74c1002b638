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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageLine;
import org.mongolocks.study.process.message.ParentMessage;
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
    private final ParentConnection parent;
    private final Map<ChildConfig.Driver, DriverConnection> connections = new EnumMap<>(ChildConfig.Driver.class);
    private final List<ChildClient> clients = new ArrayList<>();
    private final List<ChildWorker> workers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private ChildMain(PrintStream out) {
        this.parent = new ParentConnection(out);
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
        child.parent.tell(new ChildMessage.Hello(Clocks.now()));
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> child.fail(thread, e));
        child.live();
        System.exit(0);
    }

    private void live() throws InterruptedException {
        serve();
        end();
        clients.forEach(ChildClient::close);
        connections.values().forEach(DriverConnection::close);
        parent.tell(new ChildMessage.Bye(Clocks.now(), leftThreads()));
    }

    /** Reports an exception that ended a thread, whichever thread it was, and exits. */
    private void fail(Thread thread, Throwable e) {
        try {
            String cause = e.getCause() == null ? "" : ", caused by " + e.getCause();
            parent.tell(new ChildMessage.Trouble("thread " + thread.getName() + ": " + e + cause));
        } finally {
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private void serve() throws InterruptedException {
        ParentMessage order = receive();
        while (!(order instanceof ParentMessage.Stop)) {
            if (order instanceof ParentMessage.Start start) {
                begin(start.config());
            } else {
                answer(order);
            }
            order = receive();
        }
        workers.forEach(ChildWorker::stop);
    }

    private void begin(ChildConfig config) throws InterruptedException {
        Technique technique = RealTechniques.named(config.technique());
        DriverConnection connection = connections.computeIfAbsent(
                config.driver(), driver -> LibraryLocks.connect(config.place(), technique, driver, parent.commands()));
        ChildClient client = new ChildClient(
                technique,
                () -> new LibraryLocks(connection, config.place(), technique, LibraryLocks.SHORT_TIMEOUT),
                event -> parent.tell(new ChildMessage.Happened(event)));
        clients.add(client);
        parent.tell(new ChildMessage.Sent(parent.commands().get()));
        for (int i = 1; i <= config.workers(); i++) {
            int id = workers.size() + 1;
            Random random = new Random(config.seed() * 31 + id);
            ChildWorker worker = new ChildWorker(id, parent, client, config.varies(), random);
            Thread thread = new Thread(worker, "worker-" + id);
            workers.add(worker);
            threads.add(thread);
            thread.start();
        }
    }

    /** Requests in flight still get a reply. */
    private void end() throws InterruptedException {
        Thread answering = new Thread(this::answer, "answers");
        answering.setDaemon(true);
        answering.start();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void answer() {
        while (true) {
            answer(receive());
        }
    }

    private void answer(ParentMessage order) {
        if (order instanceof ParentMessage.Answer answer) {
            parent.answered(answer);
        } else if (order instanceof ParentMessage.Measure) {
            parent.tell(usage());
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
