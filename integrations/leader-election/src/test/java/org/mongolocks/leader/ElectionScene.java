package org.mongolocks.leader;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.LockException;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.leader.sync.LeaderElection.LeaderWork;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/**
 * A role of the embedded server, and candidates with clients of their own. The lease is so long that it ends only when
 * a test moves the clock, however slow the machine is.
 */
final class ElectionScene {
    static final Duration TTL = Duration.ofMinutes(10);
    /** Much less than the part of a lease after which it is renewed, and than that at which a term is revoked. */
    static final Duration STEP = TTL.dividedBy(12);

    private static final String DATABASE = "elections";
    /** Short where a proxy keeps commands from the server: a test waits for it in real time. */
    private static final Duration TIMEOUT_BEHIND_A_PROXY = Duration.ofMillis(300);

    final ContractServer server = ServerFinder.embedded();
    final String role = "role-" + UUID.randomUUID();
    final Candidate candidate = Candidate.of(role, TTL);
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** A candidacy with its events. */
    record Running(Candidacy candidacy, List<LeaderEvent> events) {
        boolean isLeading() {
            return candidacy.isLeading();
        }

        Term term() {
            return candidacy.term().orElseThrow();
        }

        boolean has(Class<? extends LeaderEvent> kind) {
            return count(kind) > 0;
        }

        long count(Class<? extends LeaderEvent> kind) {
            return events.stream().filter(kind::isInstance).count();
        }

        Revocation revocation() {
            return revocations().findFirst().orElseThrow();
        }

        Stream<Revocation> revocations() {
            return events.stream()
                    .flatMap(event -> event instanceof LeaderEvent.Revoked revoked
                            ? Stream.of(revoked.revocation())
                            : Stream.of());
        }
    }

    Running start(Candidate asked) throws InterruptedException {
        return start(asked, connection());
    }

    Running start(Candidate asked, DriverClients connection) throws InterruptedException {
        return start(asked, election(client(connection)));
    }

    static Running start(Candidate asked, LeaderElection election) {
        return start(asked, election, event -> {});
    }

    static Running start(Candidate asked, LeaderElection election, Consumer<LeaderEvent> listener) {
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        Candidacy candidacy = election.start(asked, event -> {
            events.add(event);
            listener.accept(event);
        });
        return new Running(candidacy, events);
    }

    Running lead(Candidate asked, LeaderWork work) throws InterruptedException {
        return lead(asked, work, connection());
    }

    Running lead(Candidate asked, LeaderWork work, DriverClients connection) throws InterruptedException {
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        return new Running(election(client(connection)).lead(asked, work, events::add), events);
    }

    LeaderElection election(LockClient client) {
        LeaderElection election = LeaderElection.builder(client)
                .timer(server.timer().orElseThrow())
                .build();
        opened.push(election);
        return election;
    }

    LockClient client() throws InterruptedException {
        return client(connection());
    }

    LockClient client(DriverClients connection) throws InterruptedException {
        LockClient.Builder builder = builder(connection);
        if (connection != connection()) {
            builder.commandTimeout(TIMEOUT_BEHIND_A_PROXY);
        }
        return opened(builder);
    }

    /** Opens a client that does not repeat a request after a fault. */
    LockClient clientWithoutRetries(DriverClients connection) throws InterruptedException {
        RetryConfig once = RetryConfig.custom().maxAttempts(1).build();
        return opened(builder(connection).commandTimeout(TIMEOUT_BEHIND_A_PROXY).faultRetry(Retry.of("once", once)));
    }

    private LockClient.Builder builder(DriverClients connection) {
        return LockClient.builder(connection.sync(), DATABASE)
                .strategy(new FindAndModifyCounterStrategy())
                .timeSource(server.time())
                .wallClock(this::now)
                .timer(server.timer().orElseThrow());
    }

    private LockClient opened(LockClient.Builder builder) throws InterruptedException {
        LockClient client = build(builder);
        opened.push(client);
        return client;
    }

    /** The clients' clocks move with the server's. */
    private Instant now() {
        return Instant.EPOCH.plusNanos(server.time().nanoTime());
    }

    /** On a busy machine a command may take longer than the timeout of a test. */
    private static LockClient build(LockClient.Builder builder) throws InterruptedException {
        while (true) {
            try {
                return builder.build();
            } catch (LockException e) {
                if (!e.isTransient()) {
                    throw e;
                }
            }
        }
    }

    ReactiveLockClient reactiveClient() {
        ReactiveLockClient client = ReactiveLockClient.builder(connection().reactive(), DATABASE)
                .strategy(new FindAndModifyCounterStrategy())
                .timeSource(server.time())
                .wallClock(this::now)
                .timer(server.timer().orElseThrow())
                .build()
                .blockOptional()
                .orElseThrow();
        opened.push(client);
        return client;
    }

    DriverClients connection() {
        return DriverClients.shared(server.uri());
    }

    /** Opens a route through a proxy of its own; the driver is connected when this returns. */
    ProxyRoute route() {
        ProxyRoute route = ProxyRoute.to(server.uri(), true);
        opened.push(route);
        route.connection().sync().getDatabase(DATABASE).runCommand(new Document("ping", 1));
        return route;
    }

    /** Returns how many fair candidates are queued. */
    int queued() {
        Document queue = connection()
                .sync()
                .getDatabase(DATABASE)
                .getCollection("locks.findandmodify-counter.queue")
                .find(new Document("_id", role))
                .first();
        return queue == null ? 0 : queue.getList("tickets", Document.class).size();
    }

    /** Waits for a condition, while time passes step by step. */
    void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, () -> server.elapse(STEP));
    }

    /** Waits for a condition that needs no time. */
    static void soon(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrue(what, condition);
    }

    /** Lets a time pass step by step, and runs a check after each. */
    void pass(Duration time, Runnable check) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            server.elapse(STEP);
            check.run();
        }
    }

    boolean isFree() throws InterruptedException {
        return !stored().map(LockSnapshot::isHeld).orElse(false);
    }

    void forceRelease() throws InterruptedException {
        LockClient operator = client();
        if (!operator.forceRelease(operator.inspect(role).orElseThrow())) {
            throw new IllegalStateException("The lock has changed while it was released by force");
        }
    }

    private Optional<LockSnapshot> stored() throws InterruptedException {
        try (LockClient client = client()) {
            return client.inspect(role);
        }
    }

    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
