package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import reactor.core.publisher.Mono;

/** Closing from the work and the listeners that the close waits for, or that keep those from running. */
class CloseInCodeTest {
    /** Longer than any test waits for a condition. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ElectionScene scene = new ElectionScene();
    private final ExecutorService single = Executors.newSingleThreadExecutor();
    private final ExecutorService pair = Executors.newFixedThreadPool(2);
    private final CountDownLatch allKnown = new CountDownLatch(1);
    private final List<Candidacy> candidacies = new CopyOnWriteArrayList<>();
    private final Set<Thread> closing = ConcurrentHashMap.newKeySet();
    private final AtomicInteger returned = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        closing.forEach(Thread::interrupt);
        scene.close();
        single.shutdownNow();
        pair.shutdownNow();
    }

    /**
     * An arrangement of candidacies whose code closes some.
     *
     * @param closes how many calls of close() have to return
     */
    private record Arrangement(String name, int closes, Start start) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    private interface Start {
        void in(CloseInCodeTest test) throws Exception;
    }

    private static Stream<Arrangement> arrangements() {
        return Stream.of(
                new Arrangement("a listener closes its election, of two candidacies on one thread", 1, test -> {
                    LeaderElection election = test.election(test.single);
                    test.start(election, event -> test.closeOnElection(event, election));
                    test.start(election, event -> {});
                }),
                new Arrangement("a listener closes the other candidacy, on one thread", 1, test -> {
                    LeaderElection election = test.election(test.single);
                    test.start(election, event -> test.closeOnElection(event, test.candidacies.get(1)));
                    test.start(election, event -> {});
                }),
                new Arrangement("two listeners close each other's candidacies", 2, test -> {
                    LeaderElection election = test.election();
                    CountDownLatch both = new CountDownLatch(2);
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(1)));
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(0)));
                }),
                new Arrangement("two listeners close each other's candidacies, on two threads", 2, test -> {
                    LeaderElection election = test.election(test.pair);
                    CountDownLatch both = new CountDownLatch(2);
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(1)));
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(0)));
                }),
                new Arrangement("two listeners occupy the executor, and close the third candidacy", 2, test -> {
                    LeaderElection election = test.election(test.pair);
                    CountDownLatch both = new CountDownLatch(2);
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(2)));
                    test.start(election, event -> test.closeTogether(both, event, test.candidacies.get(2)));
                    test.start(election, event -> {});
                }),
                new Arrangement("two works close their election, and ignore the interrupt", 2, test -> {
                    LeaderElection election = test.election();
                    CountDownLatch both = new CountDownLatch(2);
                    for (int i = 0; i < 2; i++) {
                        test.candidacies.add(election.lead(test.candidate(), term -> {
                            await(test.allKnown);
                            both.countDown();
                            await(both);
                            term.resign();
                            while (!Thread.interrupted()) {
                                Thread.onSpinWait();
                            }
                            test.close(election);
                        }));
                    }
                }),
                new Arrangement("a listener closes a nested election with the same executor", 1, test -> {
                    LeaderElection outer = test.election(test.single);
                    LeaderElection inner = test.election(test.single);
                    test.start(outer, event -> test.closeOnElection(event, inner));
                    test.start(inner, event -> {});
                }),
                new Arrangement("listeners beside work close each other's elections", 2, test -> {
                    LeaderElection one = test.election();
                    LeaderElection other = test.election();
                    CountDownLatch both = new CountDownLatch(2);
                    test.lead(one, event -> test.closeTogether(both, event, other));
                    test.lead(other, event -> test.closeTogether(both, event, one));
                }),
                new Arrangement("a listener closes one that closes another, which waits for its executor", 2, test -> {
                    LeaderElection first = test.election(test.single);
                    LeaderElection second = test.election();
                    test.start(first, event -> test.closeOnElection(event, test.candidacies.get(1)));
                    test.start(second, event -> test.closeOnRevocation(event, test.candidacies.get(2)));
                    test.start(first, event -> {});
                }));
    }

    @ParameterizedTest
    @MethodSource("arrangements")
    @Tag("finds:leader-close-waits-for-itself")
    void closeReturnsAndEverythingEnds(Arrangement arrangement) throws Exception {
        arrangement.start().in(this);
        allKnown.countDown();

        soon("the calls of close have returned", () -> returned.get() >= arrangement.closes());
        candidacies.forEach(Candidacy::close);
        for (Candidacy candidacy : candidacies) {
            soon("all have ended", () -> candidacy.state() == CandidacyState.CLOSED);
            assertThat(scene.stored(candidacy.candidate().role().value())
                            .orElseThrow()
                            .isHeld())
                    .isFalse();
        }
    }

    /** The role of the outer candidacy passes on when its listener has returned: the inner work has to end before. */
    @Test
    void closeInAListenerWaitsForANestedElection() throws Exception {
        LeaderElection outer = election(single);
        LeaderElection inner = election();
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch handled = new CountDownLatch(1);
        List<CandidacyState> states = new ArrayList<>();
        candidacies.add(inner.lead(candidate(), term -> {
            try {
                working.countDown();
                new CountDownLatch(1).await();
            } finally {
                scene.stored(scene.role); // takes some time
            }
        }));
        start(outer, event -> {
            if (event instanceof LeaderEvent.Revoked) {
                inner.close();
                states.add(candidacies.get(0).state());
                handled.countDown();
            }
        });
        allKnown.countDown();
        await(working);
        soon("the outer one leads", candidacies.get(1)::isLeading);

        outer.close();

        await(handled);
        assertThat(states).containsExactly(CandidacyState.CLOSED);
    }

    /** Work that blocks cannot be cancelled. */
    @Test
    void reactiveWorkMayWaitForTheCloseOfItsElection() throws Exception {
        ReactiveLeaderElection election = scene.reactiveElection(scene.reactiveClient());
        election.lead(scene.candidate, term -> {
                    election.closeLater(LONG).block();
                    returned.incrementAndGet();
                    return Mono.empty();
                })
                .subscribe();

        soon("the close has returned", () -> returned.get() == 1);
        soon("the role is free", scene::isFree);
    }

    private void closeOnElection(LeaderEvent event, AutoCloseable closed) {
        await(allKnown);
        if (event instanceof LeaderEvent.Elected) {
            candidacies.forEach(candidacy -> awaitLeading(candidacy));
            close(closed);
        }
    }

    private void closeOnRevocation(LeaderEvent event, AutoCloseable closed) {
        if (event instanceof LeaderEvent.Revoked) {
            close(closed);
        }
    }

    private void closeTogether(CountDownLatch both, LeaderEvent event, AutoCloseable closed) {
        await(allKnown);
        if (event instanceof LeaderEvent.Elected) {
            both.countDown();
            await(both);
            candidacies.forEach(candidacy -> awaitLeading(candidacy));
            close(closed);
        }
    }

    /** Candidacies that others have closed in the meantime lead no more. */
    private static void awaitLeading(Candidacy candidacy) {
        while (candidacy.state() == CandidacyState.WAITING) {
            Thread.onSpinWait();
        }
    }

    private void close(AutoCloseable closed) {
        closing.add(Thread.currentThread());
        try {
            closed.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        closing.remove(Thread.currentThread());
        returned.incrementAndGet();
    }

    private void start(LeaderElection election, Consumer<LeaderEvent> listener) {
        candidacies.add(election.start(candidate(), listener));
    }

    /** Starts a candidacy whose work ends with its term. */
    private void lead(LeaderElection election, Consumer<LeaderEvent> listener) {
        candidacies.add(election.lead(candidate(), term -> new CountDownLatch(1).await(), listener));
    }

    private Candidate candidate() {
        return Candidate.of(scene.role + "-" + candidacies.size(), TTL);
    }

    private LeaderElection election() throws InterruptedException {
        return election(LeaderElection.builder(scene.client()));
    }

    private LeaderElection election(Executor listeners) throws InterruptedException {
        return election(LeaderElection.builder(scene.client()).listenerExecutor(listeners));
    }

    private LeaderElection election(LeaderElection.Builder builder) {
        return scene.election(builder.closeTimeout(LONG));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
