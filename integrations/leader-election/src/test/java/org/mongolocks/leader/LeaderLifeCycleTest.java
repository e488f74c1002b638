package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.leader.ElectionScene.Running;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Each event in each state of a candidacy of either client: at the end no lock is held, and no thread is left. */
class LeaderLifeCycleTest {
    /** Less than idle threads of an open election live. */
    private static final long ENDS_MILLIS = 5_000;

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final ElectionScene scene = new ElectionScene();
    private final CountDownLatch workMayEnd = new CountDownLatch(1);
    private final List<Term> terms = new CopyOnWriteArrayList<>();
    private final Errors errors = new Errors();

    /** What the work of a term does. */
    private enum Work {
        RETURNS,
        FAILS,
        FAILS_WITH_AN_ERROR,
        STOPS_WHEN_REVOKED,
        GOES_ON_WHEN_REVOKED
    }

    /** The state of a candidacy when the event happens; its text is in the table of the page. */
    private enum State {
        STARTED("has been started", Work.STOPS_WHEN_REVOKED),
        WAITING("waits", Work.STOPS_WHEN_REVOKED),
        SETTLING("settles", Work.STOPS_WHEN_REVOKED),
        LEADING("leads", Work.STOPS_WHEN_REVOKED),
        HANDING_OVER("hands over", Work.GOES_ON_WHEN_REVOKED),
        WORK_RETURNED("its work has returned", Work.RETURNS),
        WORK_FAILED("its work has failed", Work.FAILS),
        WORK_FAILED_WITH_AN_ERROR("its work has thrown an `Error`", Work.FAILS_WITH_AN_ERROR);

        private final String text;
        private final Work work;

        State(String text, Work work) {
            this.text = text;
            this.work = work;
        }
    }

    /** What happens then. */
    private enum Event {
        NOTHING,
        RESIGNS,
        IS_FORCED,
        LAPSES,
        IS_CLOSED,
        ELECTION_CLOSES,
        CLIENT_CLOSES
    }

    /** An election of either client, with one candidacy. */
    private interface Election {
        void lead(Candidate candidate, Work work);

        void closeCandidacy();

        void close();

        void closeClient();
    }

    private final class SyncElection implements Election {
        private final LockClient locks = scene.client();
        private final LeaderElection election =
                scene.election(LeaderElection.builder(locks).closeTimeout(LONG));
        private Candidacy candidacy;

        SyncElection() throws InterruptedException {}

        @Override
        public void lead(Candidate candidate, Work work) {
            candidacy = election.lead(candidate, term -> {
                terms.add(term);
                switch (work) {
                    case RETURNS -> {}
                    case FAILS -> throw new IllegalStateException("Work that fails, for a test");
                    case FAILS_WITH_AN_ERROR -> throw new LinkageError("Work that fails, for a test");
                    case STOPS_WHEN_REVOKED -> new CountDownLatch(1).await();
                    case GOES_ON_WHEN_REVOKED -> awaitUninterruptibly(workMayEnd);
                }
            });
        }

        @Override
        public void closeCandidacy() {
            candidacy.close();
            assertThat(candidacy.state()).isEqualTo(CandidacyState.CLOSED);
        }

        @Override
        public void close() {
            election.close();
            assertThat(candidacy.state()).isEqualTo(CandidacyState.CLOSED);
        }

        @Override
        public void closeClient() {
            locks.close();
        }
    }

    private final class AsyncElection implements Election {
        private final ReactiveLockClient locks = scene.reactiveClient();
        private final ReactiveLeaderElection election = scene.reactiveElection(locks);
        private Disposable candidacy;

        @Override
        public void lead(Candidate candidate, Work work) {
            candidacy = election.lead(candidate, term -> {
                        terms.add(term);
                        return switch (work) {
                            case RETURNS -> Mono.empty();
                            case FAILS -> Mono.error(new IllegalStateException("Work that fails, for a test"));
                            case FAILS_WITH_AN_ERROR -> throw new LinkageError("Work that fails, for a test");
                            case STOPS_WHEN_REVOKED -> Mono.never();
                            case GOES_ON_WHEN_REVOKED ->
                                Mono.never().doOnCancel(() -> awaitUninterruptibly(workMayEnd));
                        };
                    })
                    .subscribe();
        }

        @Override
        public void closeCandidacy() {
            candidacy.dispose();
        }

        @Override
        public void close() {
            election.closeLater(LONG).block(SOON);
        }

        @Override
        public void closeClient() {
            locks.close();
        }
    }

    /** The entries of the log that are errors. */
    private static final class Errors extends Handler {
        private final List<String> entries = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
                entries.add(entry.getLoggerName() + ": " + entry.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static Stream<Arguments> orders() {
        return Stream.of(false, true)
                .flatMap(isReactive -> Stream.of(State.values())
                        .flatMap(state -> Stream.of(Event.values())
                                .map(event -> Arguments.of(isReactive ? "reactive" : "sync", state, event))));
    }

    @BeforeEach
    void watchTheLog() {
        Logger.getLogger("").addHandler(errors);
    }

    @AfterEach
    void close() throws Exception {
        Logger.getLogger("").removeHandler(errors);
        workMayEnd.countDown();
        scene.close();
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("finds:leader-error-keeps-the-role")
    void noLockIsHeldAndNoThreadIsLeft(String client, State state, Event event) throws Exception {
        Running other = state == State.WAITING ? leading() : null;
        Election election = client.equals("sync") ? new SyncElection() : new AsyncElection();
        enter(state, election);

        Thread happening = new Thread(() -> happen(event, election), "event");
        happening.start();
        if (state != State.HANDING_OVER) {
            happening.join();
        }
        workMayEnd.countDown();
        happening.join();
        if (other != null) {
            other.candidacy().close();
        }
        if (event == Event.IS_CLOSED || event == Event.ELECTION_CLOSES || event == Event.CLIENT_CLOSES) {
            soon("the role is free after " + event, scene::isFree);
        }
        election.close();

        soon("the role is free", scene::isFree);
        assertThat(terms).noneMatch(Term::isLeading);
        scene.close();
        assertNoThreadIsLeft();
        assertThat(errors.entries).isEmpty();
    }

    private Running leading() throws Exception {
        Running other = scene.start(scene.candidate);
        soon("the other leads", other::isLeading);
        return other;
    }

    private void enter(State state, Election election) throws Exception {
        Candidate candidate = state == State.SETTLING ? scene.candidate.settling(TTL.dividedBy(2)) : scene.candidate;
        election.lead(candidate, state.work);
        switch (state) {
            case STARTED, WAITING -> {}
            case SETTLING -> soon("the lock is granted", () -> !scene.isFree());
            case LEADING -> soon("it works", () -> !terms.isEmpty());
            case HANDING_OVER -> {
                soon("it works", () -> !terms.isEmpty());
                terms.get(0).resign();
            }
            case WORK_RETURNED, WORK_FAILED, WORK_FAILED_WITH_AN_ERROR -> {
                soon("it has worked", () -> !terms.isEmpty());
                soon("the role is free", scene::isFree);
            }
        }
    }

    private void happen(Event event, Election election) {
        switch (event) {
            case NOTHING -> {}
            case RESIGNS -> terms.forEach(Term::resign);
            case IS_FORCED -> force();
            case LAPSES -> scene.server.elapse(TTL.multipliedBy(2));
            case IS_CLOSED -> election.closeCandidacy();
            case ELECTION_CLOSES -> election.close();
            case CLIENT_CLOSES -> election.closeClient();
        }
    }

    private void force() {
        try (LockClient operator = scene.client()) {
            operator.inspect(scene.role).ifPresent(lock -> operator.forceRelease(lock));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void assertNoThreadIsLeft() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("mongo-locks") && !before.contains(thread)) {
                thread.join(ENDS_MILLIS);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // the work goes on
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void pageHasARowForEachState(State state) throws IOException {
        assertThat(Files.readString(Path.of("README.md"))).contains("\n| " + state.text + " |");
    }

    /** A role would be held by an application that has handed over all. */
    @Test
    void closedReactiveElectionRefusesSubscribers() {
        ReactiveLeaderElection election = scene.reactiveElection(scene.reactiveClient());
        Mono<Void> candidacies = election.lead(scene.candidate, term -> Mono.never());

        election.closeLater(LONG).block(SOON);

        org.assertj.core.api.Assertions.assertThatIllegalStateException()
                .isThrownBy(() -> candidacies.block(SOON))
                .withMessageContaining("closed");
    }
}
