package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.leader.ElectionScene.Running;
import org.mongolocks.leader.LeaderEvent.Elected;
import org.mongolocks.leader.LeaderEvent.Failed;
import org.mongolocks.leader.LeaderEvent.Resumed;
import org.mongolocks.leader.LeaderEvent.Revoked;
import org.mongolocks.leader.LeaderEvent.Suspended;
import org.mongolocks.leader.Revocation.Reason;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.sync.LockClient;

/**
 * Tests of candidates that lead until they resign or are closed; many have the scenario of a test of Curator's latch.
 */
class LeaderElectionTest {
    private final ElectionScene scene = new ElectionScene();
    private final Candidate candidate = scene.candidate;

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void candidatesLeadOneAfterAnother() throws Exception {
        List<Running> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(scene.start(candidate));
        }
        List<Long> tokens = new ArrayList<>();
        while (!waiting.isEmpty()) {
            scene.eventually("one leads", () -> waiting.stream().anyMatch(Running::isLeading));
            List<Running> leading = waiting.stream().filter(Running::isLeading).toList();

            assertThat(leading).hasSize(1);
            tokens.add(leading.get(0).term().fencingToken());
            leading.get(0).candidacy().close();
            waiting.removeAll(leading);
        }

        assertThat(tokens).hasSize(4).isSorted().doesNotHaveDuplicates();
        assertThat(scene.isFree()).isTrue();
    }

    @Test
    void candidateThatNeverLedIsNotifiedOfNothing() throws Exception {
        Running leader = scene.start(candidate);
        soon("it leads", leader::isLeading);
        Running waiting = scene.start(candidate);

        waiting.candidacy().close();

        assertThat(waiting.candidacy().state()).isEqualTo(CandidacyState.CLOSED);
        assertThat(waiting.events()).isEmpty();
        assertThat(leader.isLeading()).isTrue();
    }

    @Test
    void leaderWithoutAServerIsSuspendedAndRevokedBeforeItsLeaseEnds() throws Exception {
        ProxyRoute route = scene.route();
        Running leader = scene.start(candidate, route.connection());
        soon("it leads", leader::isLeading);
        Running other = scene.start(candidate);
        Term term = leader.term();

        route.proxy().refuse();
        scene.eventually("it is revoked", () -> {
            assertThat(leader.isLeading() && other.isLeading()).isFalse();
            return leader.has(Revoked.class);
        });

        assertThat(leader.events()).element(1).isInstanceOf(Suspended.class);
        assertThat(leader.revocation().reason()).isEqualTo(Reason.LAPSING);
        assertThat(leader.revocation().grace())
                .isPositive()
                .isLessThanOrEqualTo(candidate.timing().revokedAt());
        assertThat(term.isLeading()).isFalse();
        assertThat(other.has(Elected.class)).isFalse();
        scene.eventually("the other leads", other::isLeading);
        assertThat(other.term().fencingToken()).isGreaterThan(term.fencingToken());
    }

    @Test
    void suspendedLeaderResumesWhenARenewalSucceeds() throws Exception {
        ProxyRoute route = scene.route();
        Running leader = scene.start(candidate, route.connection());
        soon("it leads", leader::isLeading);
        Term term = leader.term();

        route.proxy().refuse();
        scene.eventually("it is suspended", () -> leader.has(Suspended.class));
        assertThat(leader.candidacy().state()).isEqualTo(CandidacyState.SUSPENDED);
        assertThat(term.isLeading()).isTrue();
        route.proxy().heal();

        scene.eventually("it leads again", () -> leader.has(Resumed.class));
        assertThat(leader.candidacy().state()).isEqualTo(CandidacyState.LEADING);
        assertThat(leader.term()).isSameAs(term);
    }

    @Test
    void leaderIsRevokedWhenTheLeaseLapses() throws Exception {
        Running leader = scene.start(candidate);
        soon("it leads", leader::isLeading);
        Term term = leader.term();

        scene.server.elapse(TTL.multipliedBy(2)); // a pause of all clients, as of one process

        soon("it is revoked", () -> leader.has(Revoked.class));
        assertThat(term.isLeading()).isFalse();
        assertThat(term.remaining()).isZero();
        assertThat(leader.revocation()).isEqualTo(new Revocation(Reason.LAPSED, Duration.ZERO));
        assertThat(term.revocation()).contains(leader.revocation());
    }

    @Test
    void forcedReleaseRevokesTheLeaderAtItsNextRenewal() throws Exception {
        Running leader = scene.start(candidate);
        soon("it leads", leader::isLeading);

        scene.forceRelease();
        scene.eventually("it is revoked", () -> leader.has(Revoked.class));

        assertThat(leader.revocation()).isEqualTo(new Revocation(Reason.FORCED, Duration.ZERO));
    }

    /** The former leader is cut off, and sees the end of its term by its clock only. */
    @Test
    void noTwoLeadersAfterAForcedRelease() throws Exception {
        ProxyRoute route = scene.route();
        Running former = scene.start(candidate, route.connection());
        soon("it leads", former::isLeading);
        Running next = scene.start(candidate.settling(TTL));

        route.proxy().refuse();
        scene.forceRelease();

        scene.eventually("the next leads", () -> {
            assertThat(former.isLeading() && next.isLeading()).isFalse();
            return next.isLeading();
        });
        assertThat(former.count(Revoked.class)).isEqualTo(1);
    }

    @Test
    void candidateWithoutAServerIsElectedWhenItIsBack() throws Exception {
        ProxyRoute route = scene.route();
        LeaderElection election = scene.election(scene.clientWithoutRetries(route.connection()));
        route.proxy().refuse();

        Running asking = ElectionScene.start(candidate, election);
        soon("the request fails", () -> asking.has(Failed.class));
        assertThat(asking.candidacy().state()).isEqualTo(CandidacyState.WAITING);
        route.proxy().heal();

        scene.eventually("it leads", asking::isLeading);
    }

    /** The grant is on its way to the candidate when its candidacy is closed. */
    @Test
    void grantThatArrivesAfterTheEndOfTheCandidacyIsReleased() throws Exception {
        ProxyRoute route = scene.route();
        LeaderElection election = scene.election(scene.client(route.connection()));
        FaultRule grant = route.proxy()
                .arm(CommandMatcher.atNext(List.of("findAndModify")), WireFault.holdReply(WireFault.none()));
        Running asking = ElectionScene.start(candidate, election);
        grant.awaitExecuted();

        Thread closing = new Thread(asking.candidacy()::close, "closing");
        closing.start();
        soon("the wait is cancelled", () -> closing.getState() == Thread.State.TIMED_WAITING);
        grant.release();
        closing.join();

        soon("it is closed", () -> asking.candidacy().state() == CandidacyState.CLOSED);
        assertThat(asking.has(Elected.class)).isFalse();
        // a reply that came too late is compensated in the background
        soon("the role is free", scene::isFree);
    }

    @Test
    void resignationPassesTheRoleToAWaitingCandidate() throws Exception {
        Running first = scene.start(candidate.pause(TTL));
        soon("the first leads", first::isLeading);
        Running second = scene.start(candidate);

        first.candidacy().resign();
        soon("the second leads", second::isLeading);
        first.candidacy().resign();

        assertThat(first.revocation().reason()).isEqualTo(Reason.RESIGNED);
        assertThat(first.count(Revoked.class)).isEqualTo(1);
        second.candidacy().close();
        scene.eventually("it leads again", first::isLeading);
    }

    @Test
    void fairCandidatesLeadInTheOrderInWhichTheyAsked() throws Exception {
        Running first = scene.start(candidate.fair());
        soon("the first leads", first::isLeading);
        Running second = scene.start(candidate.fair());
        Running third = scene.start(candidate.fair());
        List<Running> all = List.of(first, second, third);
        List<Integer> order = new ArrayList<>();

        for (int i = 0; i < 9; i++) {
            scene.eventuallyInOrder("one leads", () -> all.stream().anyMatch(Running::isLeading));
            Running leader = all.stream().filter(Running::isLeading).findFirst().orElseThrow();
            order.add(all.indexOf(leader));
            soon("the others wait", () -> scene.waiting() == 2);
            leader.term().resign();
            soon("it has handed over", () -> !leader.isLeading());
        }

        assertThat(order.subList(0, 3)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(order.subList(3, 6)).isEqualTo(order.subList(0, 3));
        assertThat(order.subList(6, 9)).isEqualTo(order.subList(0, 3));
    }

    @Test
    void standbyCandidateLeadsOnlyWhenNoneHasLedForItsTime() throws Exception {
        Running leader = scene.start(candidate.once());
        soon("it leads", leader::isLeading);
        Running standby = scene.start(candidate.standby(TTL));

        leader.candidacy().close();
        scene.pass(
                TTL.multipliedBy(9).dividedBy(10),
                () -> assertThat(standby.isLeading()).isFalse());

        scene.eventually("the standby leads", standby::isLeading);
    }

    @Test
    void closedClientEndsItsCandidacies() throws Exception {
        LockClient client = scene.client();
        LeaderElection election = scene.election(client);
        Running leader = ElectionScene.start(candidate, election);
        soon("it leads", leader::isLeading);

        client.close();

        scene.eventually("it has ended", () -> leader.candidacy().state() == CandidacyState.CLOSED);
        assertThat(leader.revocation().reason()).isEqualTo(Reason.CLIENT_CLOSED);
    }

    @Test
    void inspectionNamesTheLeader() throws Exception {
        LeaderElection election = scene.election(scene.client());
        assertThat(election.leader(scene.role)).isEmpty();
        Running leader = ElectionScene.start(candidate.id("billing-3"), election);
        soon("it leads", leader::isLeading);

        Leader found = election.leader(scene.role).orElseThrow();

        assertThat(found.candidate()).contains("billing-3");
        assertThat(found.fencingToken()).isEqualTo(leader.term().fencingToken());
        assertThat(found.role()).isEqualTo(candidate.role());
        leader.candidacy().close();
        assertThat(election.leader(scene.role)).isEmpty();
    }

    @Test
    void blockedListenerDelaysNeitherTheRevocationNorTheNextLeader() throws Exception {
        CountDownLatch unblock = new CountDownLatch(1);
        Running leader = ElectionScene.start(candidate, scene.election(scene.client()), event -> await(unblock));
        soon("it leads", leader::isLeading);
        Running other = scene.start(candidate);
        Term term = leader.term();

        term.resign();
        soon("the term has ended", () -> !term.isLeading());
        try {
            scene.eventually("the other leads after the grace", other::isLeading);
            assertThat(leader.candidacy().state()).isEqualTo(CandidacyState.HANDING_OVER);
        } finally {
            unblock.countDown();
        }
        scene.eventually("it waits again", () -> leader.candidacy().state() == CandidacyState.WAITING);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As the executor of a framework that is shut down, or whose queue is full. */
    @ParameterizedTest
    @ValueSource(ints = {1, Integer.MAX_VALUE})
    @Tag("finds:leader-executor-rejects")
    void listenerRunsThoughItsExecutorRejectsIt(int rejections) throws Exception {
        AtomicInteger left = new AtomicInteger(rejections);
        LeaderElection election =
                scene.election(LeaderElection.builder(scene.client()).listenerExecutor(listener -> {
                    if (left.getAndDecrement() > 0) {
                        throw new RejectedExecutionException("An executor that is full, for a test");
                    }
                    ForkJoinPool.commonPool().execute(listener);
                }));
        Running leader = ElectionScene.start(candidate, election);
        soon("it leads", () -> leader.has(Elected.class));

        leader.candidacy().resign();

        scene.eventually("it leads again", () -> leader.count(Elected.class) == 2);
        assertThat(leader.count(Revoked.class)).isEqualTo(1);
    }

    @Test
    void interruptedThreadPassesTheRoleOn() throws Exception {
        Running resigning = scene.start(candidate.once());
        soon("it leads", resigning::isLeading);
        interrupted(resigning.candidacy()::resign);
        soon("it has ended", () -> resigning.candidacy().state() == CandidacyState.CLOSED);
        assertThat(scene.isFree()).isTrue();

        LeaderElection election = scene.election(scene.client());
        Running closed = ElectionScene.start(candidate, election);
        soon("it leads", closed::isLeading);
        interrupted(election::close);
        soon("it has ended", () -> closed.candidacy().state() == CandidacyState.CLOSED);
        assertThat(scene.isFree()).isTrue();
    }

    /** Runs a call with the interrupt flag, which it keeps. */
    private static void interrupted(Runnable call) {
        Thread.currentThread().interrupt();
        call.run();
        assertThat(Thread.interrupted()).isTrue();
    }
}
