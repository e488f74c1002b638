package org.mongolocks.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.contract.adapter.EmbeddedScene.TTL;
import static org.mongolocks.contract.adapter.EmbeddedScene.soon;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.leader.ElectionScene.Running;
import org.mongolocks.leader.LeaderEvent.Elected;
import org.mongolocks.leader.Revocation.Reason;
import org.mongolocks.leader.sync.LeaderElection.LeaderWork;
import org.mongolocks.server.ProxyRoute;

/** Tests of candidates with work; many have the scenario of a test of Curator's selector. */
class LeaderWorkTest {
    private final ElectionScene scene = new ElectionScene();
    private final Candidate candidate = scene.candidate;
    private final AtomicInteger leading = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() throws Exception {
        end.countDown();
        scene.close();
        assertThat(most.get()).as("leaders at a time").isLessThanOrEqualTo(1);
    }

    /** Counts the leaders that work at a time. */
    private LeaderWork counted(LeaderWork work) {
        return term -> {
            most.accumulateAndGet(leading.incrementAndGet(), Math::max);
            try {
                work.lead(term);
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
            } finally {
                leading.decrementAndGet();
            }
        };
    }

    /** Work that ends by an interrupt only. */
    private LeaderWork endless() {
        return counted(term -> end.await());
    }

    @Test
    void candidateThatLeadsOnceDoesNotAskAgain() throws Exception {
        Running leader = scene.lead(candidate.once(), counted(term -> {}));

        soon("it has ended", () -> leader.candidacy().state() == CandidacyState.CLOSED);
        scene.pass(TTL.dividedBy(4), () -> {});

        assertThat(leader.count(Elected.class)).isEqualTo(1);
        assertThat(scene.isFree()).isTrue();
    }

    @Test
    void workThatFailsEndsItsTermOnly() throws Exception {
        AtomicInteger terms = new AtomicInteger();
        Running leader = scene.lead(candidate, counted(term -> {
            if (terms.incrementAndGet() == 1) {
                throw new IllegalStateException("Work that fails, for a test");
            }
            end.await();
        }));

        scene.eventually("it leads again", () -> terms.get() == 2);

        assertThat(leader.revocation().reason()).isEqualTo(Reason.WORK_ENDED);
    }

    /** No reply comes, and no connection breaks: as after a crash of the process, or of the way to it. */
    @Test
    void silentLeaderIsSucceededWhenItsLeaseEnds() throws Exception {
        ProxyRoute route = scene.route();
        scene.lead(candidate, endless(), route.connection());
        soon("it works", () -> leading.get() == 1);
        Running next = scene.start(candidate);

        route.proxy().freeze();

        scene.eventually("the other leads", () -> {
            assertThat(leading.get() == 1 && next.isLeading()).isFalse();
            return next.isLeading();
        });
        assertThat(interrupts.get()).isEqualTo(1);
        route.proxy().heal();
    }

    @Test
    void flappingConnectionsNeitherMakeTwoLeadersNorEndTheElection() throws Exception {
        ProxyRoute route = scene.route();
        Running one = scene.lead(candidate, endless(), route.connection());
        Running other = scene.lead(candidate, endless());
        soon("one works", () -> leading.get() == 1);

        for (int i = 0; i < 10; i++) {
            route.proxy().cut();
            scene.server.elapse(TTL.dividedBy(10));
        }
        for (int i = 0; i < 2; i++) {
            route.proxy().refuse();
            scene.pass(TTL.dividedBy(4), () -> {});
            route.proxy().heal();
            scene.pass(TTL.dividedBy(4), () -> {});
        }

        scene.eventually("one works", () -> leading.get() == 1);
        assertThat(one.isLeading() && other.isLeading()).isFalse();
    }

    @Test
    void roleIsNotPassedOnBeforeTheWorkHasEnded() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Running leader = scene.lead(candidate.once(), counted(term -> {
            awaitInterrupt(told);
            end.await();
        }));
        soon("it works", () -> leading.get() == 1);
        Running other = scene.start(candidate);

        leader.candidacy().resign();
        told.await();
        scene.pass(TTL.dividedBy(2), () -> assertThat(other.isLeading()).isFalse());
        assertThat(leader.isLeading()).isFalse();
        end.countDown();

        scene.eventually("the other leads", other::isLeading);
    }

    @Test
    void workThatIgnoresItsRevocationLosesTheRoleAfterItsGrace() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Running leader = scene.lead(candidate, counted(term -> {
            awaitInterrupt(told);
            end.await();
        }));
        soon("it works", () -> leading.get() == 1);
        Running other = scene.start(candidate);

        leader.candidacy().resign();
        told.await();

        scene.eventually("the other leads", other::isLeading);
        assertThat(leader.candidacy().state()).isEqualTo(CandidacyState.HANDING_OVER);
        assertThat(leading.get()).isEqualTo(1);
        end.countDown();
        scene.eventually("it waits again", () -> leader.candidacy().state() == CandidacyState.WAITING);
    }

    /** A driver or a framework makes an exception of its own of the interrupt. */
    @Test
    @Tag("finds:leader-stop-is-a-failure")
    void workThatIsStoppedByTheEndOfItsTermIsNoFailure() throws Exception {
        List<LogRecord> entries = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("org.mongolocks");
        logger.setFilter(entries::add);
        try {
            Running leader = scene.lead(candidate.once(), counted(term -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException("Interrupted, for a test", e);
                }
            }));
            soon("it works", () -> leading.get() == 1);
            scene.forceRelease();
            scene.eventually("it has ended", () -> leader.candidacy().state() == CandidacyState.CLOSED);
        } finally {
            logger.setFilter(null);
        }

        assertThat(entries)
                .filteredOn(entry -> entry.getMessage().startsWith("The work"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getLevel()).isEqualTo(Level.INFO);
                    assertThat(entry.getMessage())
                            .contains("stopped after the end")
                            .contains("for a test");
                    assertThat(entry.getThrown()).isNull();
                });
    }

    /** Waits until the work is notified of its revocation, which opens the latch. */
    private void awaitInterrupt(CountDownLatch told) {
        try {
            end.await();
        } catch (InterruptedException e) {
            told.countDown();
        }
    }
}
