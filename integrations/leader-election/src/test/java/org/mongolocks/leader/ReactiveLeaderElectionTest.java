package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.ElectionScene.Running;
import org.mongolocks.leader.LeaderEvent.Elected;
import org.mongolocks.leader.LeaderEvent.Revoked;
import org.mongolocks.leader.Revocation.Reason;
import org.mongolocks.leader.reactive.ReactiveLeaderElection;
import org.mongolocks.reactive.ReactiveLockClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ReactiveLeaderElectionTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final ElectionScene scene = new ElectionScene();
    private final Candidate candidate = scene.candidate;
    private final ReactiveLockClient locks = scene.reactiveClient();
    private final ReactiveLeaderElection election = scene.reactiveElection(locks);

    @AfterEach
    void close() throws Exception {
        election.closeLater(TTL).block(SOON);
        scene.close();
    }

    @Test
    void cancellationHandsOver() throws Exception {
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        Disposable first = election.events(candidate).subscribe(events::add);
        soon("it leads", () -> events.size() == 1);
        Term term = ((Elected) events.get(0)).term();
        Running second = scene.start(candidate);
        scene.pass(TTL.dividedBy(2), () -> assertThat(term.isLeading()).isTrue());

        first.dispose();

        scene.eventually("the other leads", second::isLeading);
        assertThat(term.isLeading()).isFalse();
        assertThat(second.term().fencingToken()).isGreaterThan(term.fencingToken());
    }

    @Test
    void cancellationOnAnInterruptedThreadHandsOver() throws Exception {
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        Disposable candidacy = election.events(candidate).subscribe(events::add);
        soon("it leads", () -> events.size() == 1);

        Thread.currentThread().interrupt();
        candidacy.dispose();

        assertThat(Thread.interrupted()).isTrue();
        soon("the role is free", scene::isFree);
    }

    @Test
    void cancellationEndsAWait() throws Exception {
        Running leader = scene.start(candidate);
        soon("it leads", leader::isLeading);
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        Disposable waiting = election.events(candidate).subscribe(events::add);

        waiting.dispose();
        leader.candidacy().close();
        scene.pass(TTL.dividedBy(4), () -> {});

        assertThat(events).isEmpty();
        assertThat(scene.isFree()).isTrue();
    }

    @Test
    void eventsOfATermEndWithItsRevocation() throws Exception {
        List<LeaderEvent> events = new CopyOnWriteArrayList<>();
        AtomicBoolean completed = new AtomicBoolean();
        election.events(candidate.once())
                .doOnComplete(() -> completed.set(true))
                .subscribe(events::add);
        soon("it leads", () -> events.size() == 1);

        scene.forceRelease();
        scene.eventually("it is complete", completed::get);

        assertThat(events).hasSize(2);
        assertThat(((Revoked) events.get(1)).revocation().reason()).isEqualTo(Reason.FORCED);
    }

    @Test
    void revocationCancelsTheWork() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        election.lead(
                        candidate,
                        term -> Mono.never()
                                .doOnSubscribe(subscription -> begun.incrementAndGet())
                                .doOnCancel(cancelled::incrementAndGet))
                .subscribe();
        soon("it works", () -> begun.get() == 1);

        scene.server.elapse(TTL.multipliedBy(2));

        soon("the work is cancelled", () -> cancelled.get() == 1);
        scene.eventually("it works again", () -> begun.get() == 2);
    }

    @Test
    void workThatEndsOrFailsIsFollowedByAnotherTerm() throws Exception {
        List<Long> tokens = new CopyOnWriteArrayList<>();
        election.lead(candidate, term -> {
                    tokens.add(term.fencingToken());
                    return tokens.size() == 1
                            ? Flux.error(new IllegalStateException("Work that fails, for a test"))
                            : Flux.empty();
                })
                .subscribe();

        scene.eventually("it has led three times", () -> tokens.size() >= 3);

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void leaderOfARoleIsRead() throws Exception {
        assertThat(election.leader(scene.role).blockOptional(SOON)).isEmpty();
        AtomicBoolean works = new AtomicBoolean();
        election.lead(candidate.id("reports-1"), term -> Mono.never().doOnSubscribe(begun -> works.set(true)))
                .subscribe();
        soon("it works", works::get);

        Leader leader = election.leader(scene.role).blockOptional(SOON).orElseThrow();

        assertThat(leader.candidate()).contains("reports-1");
    }

    @Test
    void closedClientCompletesItsCandidacies() throws Exception {
        AtomicBoolean completed = new AtomicBoolean();
        AtomicBoolean works = new AtomicBoolean();
        election.lead(candidate, term -> Mono.never().doOnSubscribe(begun -> works.set(true)))
                .doOnTerminate(() -> completed.set(true))
                .subscribe();
        soon("it works", works::get);

        locks.close();

        scene.eventually("it is complete", completed::get);
    }
}
