package org.mongolocks.contract.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.contract.SkippedRules;
import org.mongolocks.contract.adapter.EmbeddedScene;
import org.mongolocks.contract.integration.IntegrationScene.Loss;
import org.mongolocks.contract.integration.LockIntegration.Application;
import org.mongolocks.contract.integration.LockIntegration.Capability;
import org.mongolocks.contract.integration.LockIntegration.Outcome;
import org.mongolocks.contract.integration.LockIntegration.Work;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.RacyCounter;

/**
 * The contract tests of an integration, on the embedded server, whose clock they move. The author of an integration
 * extends this class, and shows in {@link #integration()} how an application uses it.
 */
@ExtendWith(SkippedRules.class)
public abstract class IntegrationContract {
    private static final int APPLICATIONS = 2;
    private static final int THREADS_PER_APPLICATION = 2;
    private static final int VISITS = 5;
    private static final int LONG_WORK_TTLS = 3;

    private final String lock = "lock-" + UUID.randomUUID();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @Nullable IntegrationScene scene;
    private volatile boolean hasEnded;

    /** For subclasses. */
    protected IntegrationContract() {}

    /** Returns the integration that is tested. */
    protected abstract LockIntegration integration();

    /**
     * Returns the name of the strategy of all clients.
     *
     * @return the name of a strategy on the class path
     */
    protected String strategy() {
        return "findandmodify-counter";
    }

    /** A failure that no framework can copy, because none knows its constructor. */
    private static final class WorkFailedException extends Exception {
        private static final long serialVersionUID = 1;

        private WorkFailedException(int code) {
            super("Work that fails, for a test, with code " + code);
        }
    }

    /** Ends all work of a rule, and closes its applications, the last one first. */
    @AfterEach
    public void close() throws Exception {
        hasEnded = true;
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        if (scene != null) {
            scene.close();
        }
    }

    /** IG-1. Data that only the lock protects is changed by one thread of one application at a time. */
    @Test
    @ContractRule("IG-1")
    public void protectedDataIsChangedByOneAtATime() throws Exception {
        RacyCounter counter = scene().counter(lock);
        AtomicLong order = new AtomicLong();
        List<BackgroundTask<Integer>> visitors = new ArrayList<>();
        for (int i = 0; i < APPLICATIONS; i++) {
            Application application = open();
            for (int thread = 0; thread < THREADS_PER_APPLICATION; thread++) {
                visitors.add(BackgroundTask.run(() -> visit(application, counter, order)));
            }
        }

        for (BackgroundTask<Integer> visitor : visitors) {
            assertThat(visitor.result()).isEqualTo(VISITS);
        }
        counter.assertVisits(visitors.size() * VISITS);
    }

    /** Without a token, one that is drawn under the lock takes its place. */
    private int visit(Application application, RacyCounter counter, AtomicLong order) throws Exception {
        Work visit = grant -> counter.increment(grant.token().orElseGet(order::incrementAndGet));
        int visits = 0;
        while (visits < VISITS && !hasEnded) {
            Outcome outcome = application.run(lock, visit);
            assertThat(outcome).isNotEqualTo(Outcome.LOST);
            visits += outcome == Outcome.RAN ? 1 : 0;
        }
        return visits;
    }

    /**
     * IG-2. Work whose lock is contended does not run, and its caller gets a refusal; also on another thread of the
     * holder's application.
     */
    @Test
    @ContractRule("IG-2")
    public void contendedWorkIsRefused() throws Exception {
        Application first = open();
        Application second = open();
        RunningWork holder = begin(first);

        assertRefused(second);
        assertRefused(first);

        assertThat(holder.end()).isEqualTo(Outcome.RAN);
    }

    /** IG-3. The lock is free when work under it has ended. */
    @Test
    @ContractRule("IG-3")
    public void lockIsFreeAfterTheWork() throws Exception {
        Application first = open();
        Application second = open();

        assertRuns(first);
        assertRuns(second);
        assertRuns(first);
    }

    /** IG-4. The lock is free when work under it has failed. */
    @Test
    @ContractRule("IG-4")
    public void lockIsFreeAfterWorkThatFails() throws Exception {
        Application first = open();
        Application second = open();

        Throwable thrown = catchThrowable(() -> fail(first, new WorkFailedException(1)));

        assertThat(thrown == null || thrown instanceof WorkFailedException).isTrue();
        assertRuns(second);
    }

    /** IG-5. The failure of work reaches its caller unchanged. */
    @Test
    @ContractRule("IG-5")
    public void failureOfTheWorkReachesItsCaller() throws Exception {
        assumeOffered(Capability.PASSES_FAILURES);
        Application application = open();
        WorkFailedException failure = new WorkFailedException(2);

        assertThat(catchThrowable(() -> fail(application, failure))).isSameAs(failure);
    }

    private void fail(Application application, WorkFailedException failure) throws Exception {
        var unused = application.run(lock, grant -> {
            throw failure;
        });
    }

    /**
     * IG-6. The fencing token grows from grant to grant, over all applications, whether the lock was released or lost.
     *
     * @param loss how the lock is lost in between
     */
    @ParameterizedTest
    @EnumSource
    @ContractRule("IG-6")
    public void tokenGrowsFromGrantToGrant(Loss loss) throws Exception {
        assumeOffered(Capability.TOKEN);
        Application first = open();
        Application second = open();

        List<Long> tokens = new ArrayList<>(List.of(token(first), token(second), token(first)));
        RunningWork lost = beginLate(first);
        tokens.add(lost.token().orElseThrow());
        loss.of(lock, scene());
        tokens.add(token(second));

        assertThat(tokens).doesNotHaveDuplicates().isSorted();
        assertThat(lost.token()).hasValue(tokens.get(3));
    }

    private long token(Application application) throws Exception {
        AtomicLong token = new AtomicLong();
        Outcome outcome = application.run(lock, grant -> token.set(grant.token().orElseThrow()));
        assertThat(outcome).isEqualTo(Outcome.RAN);
        return token.get();
    }

    /** IG-7. A loss interrupts or cancels the work. */
    @ParameterizedTest
    @EnumSource
    @ContractRule("IG-7")
    public void lossStopsTheWork(Loss loss) throws Exception {
        assumeOffered(Capability.STOPS_WORK);
        RunningWork work = begin(open());

        loss.of(lock, scene());

        scene().eventually("the work is interrupted", work::wasInterrupted);
    }

    /** IG-8. Work that asks sees that its lock was lost. */
    @ParameterizedTest
    @EnumSource
    @ContractRule("IG-8")
    public void workThatAsksSeesTheLoss(Loss loss) throws Exception {
        RunningWork work = beginLate(open());
        assertThat(work.isHeld()).isTrue();

        loss.of(lock, scene());

        scene().eventually("the work sees the loss", () -> !work.isHeld());
    }

    /** IG-9. The caller of work gets a report of a loss that the work did not notice. */
    @ParameterizedTest
    @EnumSource
    @ContractRule("IG-9")
    public void callerIsToldOfALoss(Loss loss) throws Exception {
        assumeOffered(Capability.REPORTS_LOSS);
        RunningWork work = beginLate(open());
        loss.of(lock, scene());
        scene().elapseInSteps(1);

        assertThat(work.end()).isEqualTo(Outcome.LOST);
    }

    /** IG-10. Work that ends after a loss does not release the lock of the next holder. */
    @ParameterizedTest
    @EnumSource
    @ContractRule("IG-10")
    public void lateWorkDoesNotReleaseTheNextHoldersLock(Loss loss) throws Exception {
        Application second = open();
        RunningWork late = beginLate(open());
        loss.of(lock, scene());
        RunningWork next = begin(second);

        assertThat(catchThrowable(late::end)).isNull();
        scene().step();

        assertRefused(open());
        assertThat(next.isHeld()).isTrue();
        assertThat(next.end()).isEqualTo(Outcome.RAN);
    }

    /** IG-11. A lock that an operator has released by force can be acquired at once. */
    @Test
    @ContractRule("IG-11")
    public void forcedReleaseFreesTheLock() throws Exception {
        Application second = open();
        RunningWork holder = begin(open());
        assertRefused(second);
        assertThat(holder.isHeld()).isTrue();

        Loss.FORCED.of(lock, scene());

        assertRuns(second);
    }

    /** IG-12. The lock of an application that has crashed is free after its ttl, and not before. */
    @Test
    @ContractRule("IG-12")
    public void lockOfACrashedApplicationEndsWithItsTtl() throws Exception {
        Application second = open();
        ApplicationClients clients = new ApplicationClients(scene());
        beginLate(open(clients));

        clients.crash();
        scene().server.elapse(ApplicationClients.TTL.dividedBy(2));
        assertRefused(second);
        scene().server.elapse(ApplicationClients.TTL);

        assertRuns(second);
    }

    /** IG-13. Shutting an application down releases the locks of its work. */
    @Test
    @ContractRule("IG-13")
    public void shutdownReleasesTheLock() throws Exception {
        Application first = open();
        Application second = open();
        begin(first);

        first.close();

        EmbeddedScene.soon("the lock is free", () -> second.run(lock, grant -> {}) == Outcome.RAN);
    }

    /**
     * IG-14. An application that was shut down runs no work: it says that it is closed, or skips the work where its
     * framework logs an exception as an error.
     */
    @Test
    @ContractRule("IG-14")
    public void closedApplicationRunsNoWork() throws Exception {
        Application closed = open();
        assertRuns(closed);
        closed.close();
        AtomicBoolean hasRun = new AtomicBoolean();
        AtomicReference<Outcome> outcome = new AtomicReference<>();

        Throwable refusal = catchThrowable(() -> outcome.set(closed.run(lock, grant -> hasRun.set(true))));

        assertThat(hasRun).isFalse();
        if (refusal == null) {
            assertThat(integration().capabilities()).doesNotContain(Capability.TELLS_THAT_IT_IS_CLOSED);
            assertThat(outcome).hasValue(Outcome.REFUSED);
        } else {
            assertThat(FaultClassifier.causes(refusal))
                    .anySatisfy(failure -> assertThat(failure).hasMessageContaining("closed"));
        }
    }

    /** IG-15. Work that takes longer than its ttl keeps its lock. */
    @Test
    @ContractRule("IG-15")
    public void longWorkKeepsItsLock() throws Exception {
        assumeOffered(Capability.KEEP_ALIVE);
        Application second = open();
        RunningWork work = begin(open());

        scene().elapseInSteps(LONG_WORK_TTLS);

        assertRefused(second);
        assertThat(work.isHeld()).isTrue();
        assertThat(work.end()).isEqualTo(Outcome.RAN);
    }

    /** IG-16. Locks of different names are independent, also in one application. */
    @Test
    @ContractRule("IG-16")
    public void namesAreIndependent() throws Exception {
        Application first = open();
        List<RunningWork> all = List.of(
                begin(first),
                track(RunningWork.begin(first, lock + "-2")),
                track(RunningWork.begin(open(), lock + "-3")));

        for (RunningWork work : all) {
            assertThat(work.isHeld()).isTrue();
        }
        for (RunningWork work : all) {
            assertThat(work.end()).isEqualTo(Outcome.RAN);
        }
    }

    /**
     * IG-17. Work can run more work under the lock that it holds, in the same grant; the end of the inner work releases
     * nothing.
     */
    @Test
    @ContractRule("IG-17")
    public void innerWorkEntersTheLockAgain() throws Exception {
        assumeOffered(Capability.REENTRY);
        Application first = open();
        Application second = open();

        Outcome outer = first.run(lock, grant -> {
            Outcome inner = first.run(lock, again -> assertThat(again.token()).isEqualTo(grant.token()));
            assertThat(inner).isEqualTo(Outcome.RAN);
            assertThat(BackgroundTask.run(() -> second.run(lock, none -> {})).result())
                    .isEqualTo(Outcome.REFUSED);
        });

        assertThat(outer).isEqualTo(Outcome.RAN);
        assertRuns(second);
    }

    private void assertRuns(Application application) throws Exception {
        AtomicBoolean hasRun = new AtomicBoolean();
        assertThat(application.run(lock, grant -> hasRun.set(true))).isEqualTo(Outcome.RAN);
        assertThat(hasRun).isTrue();
    }

    private void assertRefused(Application application) throws Exception {
        AtomicBoolean hasRun = new AtomicBoolean();
        assertThat(application.run(lock, grant -> hasRun.set(true))).isEqualTo(Outcome.REFUSED);
        assertThat(hasRun).isFalse();
    }

    private void assumeOffered(Capability capability) {
        assumeTrue(integration().capabilities().contains(capability), capability.absence());
    }

    private IntegrationScene scene() {
        IntegrationScene current = scene == null ? new IntegrationScene(strategy()) : scene;
        scene = current;
        return current;
    }

    private Application open() throws Exception {
        return open(new ApplicationClients(scene()));
    }

    private Application open(ApplicationClients clients) throws Exception {
        Application application = integration().open(clients);
        opened.push(application);
        return application;
    }

    private RunningWork begin(Application application) throws Exception {
        return track(RunningWork.begin(application, lock));
    }

    private RunningWork beginLate(Application application) throws Exception {
        return track(RunningWork.beginLate(application, lock));
    }

    private RunningWork track(RunningWork work) {
        opened.push(work::endLater);
        return work;
    }
}
