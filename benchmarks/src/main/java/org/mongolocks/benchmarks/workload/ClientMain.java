package org.mongolocks.benchmarks.workload;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.lock.LockImplementation;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.benchmarks.workload.ContendingWorker.CriticalSection;
import org.mongolocks.benchmarks.workload.ContendingWorker.WorkerTask;
import org.mongolocks.benchmarks.workload.ProcessContention.ClientCounts;
import org.mongolocks.benchmarks.workload.ProcessContention.TimedGrant;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.spi.LockStrategies;

/**
 * The main class of a process with lock clients. Its parent writes these lines:
 *
 * <ul>
 *   <li>{@code hold LOCK TTL_MILLIS CLIENT/STRATEGY/COLLECTION...}: acquires these locks and keeps them alive. Prints
 *       {@code held}, and {@code lost} for each lock that is lost later;
 *   <li>{@code prepare CLIENT STRATEGY COLLECTION LOCK}: opens a client, and acquires and releases a lock of its own.
 *       Prints {@code ready};
 *   <li>{@code contend}: acquires the lock with one thread, holds it for a millisecond, releases it, and repeats this.
 *       Prints {@code granted} after the first grant;
 *   <li>{@code stop FROM TO}: stops, and prints {@code counted} with the counts between two values of
 *       {@link System#nanoTime()}, which all processes of a machine share.
 * </ul>
 */
public final class ClientMain {
    static final String HOLD = "hold";
    static final String HELD = "held";
    static final String LOST = "lost";
    static final String PREPARE = "prepare";
    static final String CONTEND = "contend";
    static final String STOP = "stop";
    static final String READY = "ready";
    static final String GRANTED = "granted";
    static final String COUNTED = "counted";

    private static final String SEPARATOR = "/";
    private static final Duration HOLD_TIME = Duration.ofMillis(1);
    /** Longer than any wait in a run: no waiter reaches its deadline. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final Target server = Target.ofEnvironment();
    private final CommandLog commands = new CommandLog();
    private final Map<Client, Driver> drivers = new EnumMap<>(Client.class);
    /** A lock whose handle is forgotten is released. */
    private final List<BlockingLock> handles = new ArrayList<>();

    private ClientMain() {}

    /** Runs the process until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            new ClientMain().serve(lines);
        } catch (RuntimeException | InterruptedException e) {
            // The threads of the driver would keep the process alive, and the parent would wait for nothing.
            print(ClientProcess.FAILED + " " + e);
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private void serve(BufferedReader lines) throws IOException, InterruptedException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = List.of(line.split(" ", -1));
            if (words.get(0).equals(HOLD)) {
                hold(words);
            } else {
                require(PREPARE, words.get(0));
                print(COUNTED + " " + contend(words, lines).line());
            }
        }
    }

    private void hold(List<String> words) throws InterruptedException {
        Duration ttl = Duration.ofMillis(Long.parseLong(words.get(2)));
        for (String lock : words.subList(3, words.size())) {
            String[] parts = lock.split(SEPARATOR, 3);
            Client client = Client.valueOf(parts[0]);
            BlockingLock held = drivers.computeIfAbsent(client, this::open)
                    .locks(LockStrategies.named(parts[1]), parts[2])
                    .tryAcquire(LockRequest.of(heldLock(words.get(1), client), ttl))
                    .orElseThrow(() -> new LockException("A free lock was not granted"));
            handles.add(held);
            held.onLost((lease, reason) -> print(LOST));
        }
        print(HELD);
    }

    /** Returns the word for a lock to be held. */
    static String held(LockImplementation contender, RunEnvironment environment) {
        return contender.client() + SEPARATOR + contender.id() + SEPARATOR + environment.name(contender.id());
    }

    /** Returns the name of a lock to be held: the two clients of a strategy share a collection. */
    static String heldLock(String lock, Client client) {
        return lock + "-" + client.id();
    }

    private ClientCounts contend(List<String> words, BufferedReader lines) throws IOException, InterruptedException {
        Driver driver = drivers.computeIfAbsent(Client.valueOf(words.get(1)), this::open);
        try (BenchmarkParticipant locks =
                StrategyLock.participant(driver.locks(LockStrategies.named(words.get(2)), words.get(3)))) {
            prepare(locks);
            print(READY);
            require(CONTEND, lines.readLine());
            GrantLog grants = new GrantLog();
            LockRequest request = LockRequest.of(words.get(4), RunEnvironment.TTL)
                    .fixedLease()
                    .waitAtMost(TIMEOUT);
            ContendingWorker worker =
                    new ContendingWorker(locks, new WorkerTask(request, grants, new CountDownLatch(0)));
            Window window = new Window(lines);
            List<Callable<Optional<ContentionResult>>> tasks = List.of(worker, () -> {
                window.await();
                worker.stop();
                return Optional.empty();
            });
            ConcurrentTasks.run(tasks);
            return new ClientCounts(
                    commands.count(false, window),
                    commands.count(true, window),
                    worker.log(System.nanoTime()).longestWaitNanos(),
                    grants.within(window));
        }
    }

    /** Connects, and loads the classes of a grant. */
    private static void prepare(BenchmarkParticipant locks) throws InterruptedException {
        locks.acquire(LockRequest.of("prepared-" + UUID.randomUUID(), RunEnvironment.TTL)
                        .fixedLease())
                .orElseThrow()
                .release();
    }

    private static void require(String word, @Nullable String line) {
        if (!word.equals(line)) {
            throw new LockException("The parent must write '" + word + "', wrote '" + line + "'");
        }
    }

    private Driver open(Client client) {
        return Driver.open(
                client, server.settings().addCommandListener(commands).build(), RunEnvironment.DATABASE);
    }

    private static void print(String line) {
        System.out.println(line);
    }

    /** The time in which a contention is counted; its parent sends it at the end. */
    private static final class Window {
        private final BufferedReader lines;
        private long fromNanos;
        private long toNanos;

        Window(BufferedReader lines) {
            this.lines = lines;
        }

        void await() throws IOException {
            String line = lines.readLine();
            if (line == null) {
                throw new EOFException("The parent has ended");
            }
            String[] words = line.split(" ", -1);
            fromNanos = Long.parseLong(words[1]);
            toNanos = Long.parseLong(words[2]);
        }

        boolean contains(long nanos) {
            return nanos - fromNanos >= 0 && nanos - toNanos < 0;
        }
    }

    /** The grants of the worker, each of which is held for a moment. */
    private static final class GrantLog implements CriticalSection {
        private final List<TimedGrant> grants = new ArrayList<>();

        @Override
        public void run(OptionalLong token) throws InterruptedException {
            long grantedNanos = System.nanoTime();
            if (grants.isEmpty()) {
                print(GRANTED);
            }
            TimeUnit.NANOSECONDS.sleep(HOLD_TIME.toNanos());
            grants.add(new TimedGrant(token.orElseThrow(), grantedNanos, System.nanoTime()));
        }

        /** Called when the worker has ended. */
        List<TimedGrant> within(Window window) {
            return grants.stream()
                    .filter(grant -> window.contains(grant.grantedNanos()))
                    .toList();
        }
    }

    /** The times of the commands that the clients of this process send. */
    private static final class CommandLog implements CommandListener {
        private static final String EVENTS = "getMore";

        private final List<Long> events = new ArrayList<>();
        private final List<Long> others = new ArrayList<>();

        @Override
        public synchronized void commandStarted(CommandStartedEvent event) {
            (event.getCommandName().equals(EVENTS) ? events : others).add(System.nanoTime());
        }

        /** Returns the number of commands in a time that await events, or of all others, and forgets them. */
        synchronized long count(boolean areEvents, Window window) {
            List<Long> nanos = areEvents ? events : others;
            long count = nanos.stream().filter(window::contains).count();
            nanos.clear();
            return count;
        }
    }
}
