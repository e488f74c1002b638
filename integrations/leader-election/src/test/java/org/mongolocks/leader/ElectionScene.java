package org.mongolocks.leader;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.leader.sync.LeaderElection.LeaderWork;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/**
 * A role of the embedded server, and candidates with clients of their own. A step of the time is also much less than the
 * part of a lease at which a term is revoked.
 */
final class ElectionScene extends EmbeddedScene {
    private static final Duration SMALL_STEP = Duration.ofMillis(10);

    private static final String DATABASE = "elections";

    final String role = "role-" + UUID.randomUUID();
    final Candidate candidate = Candidate.of(role, TTL);

    ElectionScene() {
        super(DATABASE, new FindAndModifyCounterStrategy());
    }

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
        return election(LeaderElection.builder(client));
    }

    LeaderElection election(LeaderElection.Builder builder) {
        return opened(ElectionTimer.with(server.timer().orElseThrow(), builder::build));
    }

    ReactiveLeaderElection reactiveElection(ReactiveLockClient client) {
        return ElectionTimer.with(server.timer().orElseThrow(), () -> ReactiveLeaderElection.with(client));
    }

    LockClient client(DriverClients connection) throws InterruptedException {
        LockClientBuilder<LockClient> builder = builder(connection);
        if (connection != connection()) {
            builder.commandTimeout(TIMEOUT_BEHIND_A_PROXY);
        }
        return client(builder);
    }

    /** Opens a client that does not repeat a request after a fault. */
    LockClient clientWithoutRetries(DriverClients connection) throws InterruptedException {
        RetryConfig once = RetryConfig.custom().maxAttempts(1).build();
        return client(builder(connection).commandTimeout(TIMEOUT_BEHIND_A_PROXY).faultRetry(Retry.of("once", once)));
    }

    ReactiveLockClient reactiveClient() {
        LockClientBuilder<Mono<ReactiveLockClient>> builder = ReactiveLockClient.builder(
                        connection().reactive(), DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy());
        server.setClocks(builder);
        return opened(builder.build().blockOptional().orElseThrow());
    }

    /** Returns how many fair candidates wait. */
    int waiting() throws InterruptedException {
        return stored(role).map(LockSnapshot::waiters).orElse(0);
    }

    /** Waits for a condition, while time passes step by step. */
    void eventually(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, () -> server.elapse(STEP));
    }

    /** The same in small steps: fair candidates have a quarter of a second to claim the lock. */
    void eventuallyInOrder(String what, Callable<Boolean> condition) throws Exception {
        Eventually.isTrueWhile(what, condition, () -> server.elapse(SMALL_STEP));
    }

    /** Lets a time pass step by step, and runs a check after each. */
    void pass(Duration time, Runnable check) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            server.elapse(STEP);
            check.run();
        }
    }

    boolean isFree() throws InterruptedException {
        return !stored(role).map(LockSnapshot::isHeld).orElse(false);
    }

    void forceRelease() throws InterruptedException {
        LockClient operator = client();
        if (!operator.forceRelease(operator.inspect(role).orElseThrow())) {
            throw new IllegalStateException("The lock has changed while it was released by force");
        }
    }
}
