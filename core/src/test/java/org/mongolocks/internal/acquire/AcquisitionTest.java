package org.mongolocks.internal.acquire;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.wait.Lab.MAX_ATTEMPTS;
import static org.mongolocks.internal.wait.Lab.OWNER;
import static org.mongolocks.internal.wait.Lab.POLL;
import static org.mongolocks.internal.wait.Lab.TTL;
import static org.mongolocks.internal.wait.Lab.heldBy;

import com.mongodb.MongoOperationTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.Lease;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.Observation;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class AcquisitionTest {
    private static final String RELEASE = "release a 00000000-0000-0000-0000-000000000001 OptionalLong.empty";
    private static final LockSnapshot HELD = heldBy("other", 1, Optional.empty());

    private static final Step<LockOutcome> OUT_OF_TIME =
            new Step.Fail<>(new Reply.Failed(Fault.AMBIGUOUS, new MongoOperationTimeoutException("no time was left")));

    private final MongoOperationTimeoutException timeOut = new MongoOperationTimeoutException("no time was left");
    private final Step<LockOutcome> mayExecuteLate = new Step.Fail<>(new Reply.Failed(Fault.AMBIGUOUS, timeOut, true));
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy().releases(Step.done(false));

    @Test
    void grantIsCountedFromBeforeTheAttempt() {
        strategy.answers(context -> {
            lab.time.advance(Duration.ofSeconds(2));
            return Step.done(context.acquired(5));
        });
        long start = lab.time.nanoTime();

        Lease lease = acquired(ZERO);

        assertThat(lease).isEqualTo(new Lease(Lab.NAME, OWNER, 5, TTL, start + TTL.toNanos()));
    }

    @Test
    void waitEndsWhenTheClientIsClosed() {
        strategy.contends(HELD);
        WaiterQueues queues = Lab.queues(lab.settings(strategy), ChangeFeed.none());
        GrantAcquisition acquisition = GrantAcquisitions.of(lab.settings(strategy), Lab.request(TTL), OWNER, queues);
        Step.Pause<LockOutcome> waiting = (Step.Pause<LockOutcome>) acquisition.start();

        queues.close();

        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> waiting.then().get());
        assertThat(strategy.calls).containsExactly("acquire");
    }

    @Test
    void contentionThatIsFoundAfterTheCloseIsNoOutcome() {
        WaiterQueues queues = Lab.queues(lab.settings(strategy), ChangeFeed.none());
        strategy.answers(context -> {
            queues.close();
            return Step.done(new LockOutcome.Contended(HELD));
        });
        GrantAcquisition acquisition = GrantAcquisitions.of(lab.settings(strategy), Lab.request(ZERO), OWNER, queues);

        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(acquisition::start);
    }

    @Test
    void fairRequestsNeedLists() {
        GrantAcquisition acquisition = GrantAcquisitions.of(
                lab.settings(strategy),
                Lab.request(TTL).fair(),
                OWNER,
                Lab.queues(lab.settings(strategy), ChangeFeed.none()));

        assertThatIllegalArgumentException().isThrownBy(acquisition::start).withMessageContaining("strategy 'fake'");
        assertThat(strategy.calls).isEmpty();
    }

    /** The server says so when the client is built. */
    @Test
    void fairRequestsNeedAServerThatHasLists() {
        ClientSettings settings = lab.settings(strategy.listing());
        ClientRuns runs = new ClientRuns(settings, new ConnectionShortage(lab.time));
        WaiterQueues queues = Lab.queues(settings, runs, ChangeFeed.none());
        runs.recordServer(BsonDocument.parse("{maxWireVersion: 8}"));

        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> GrantAcquisitions.of(settings, Lab.request(TTL).fair(), OWNER, queues)
                                .start())
                .withMessageContaining("MongoDB 4.4");
    }

    @Test
    void waitsBetweenAttemptsAndAsksOnceMoreAtTheDeadline() {
        strategy.contends(HELD);

        assertThat(outcome(Duration.ofMillis(250))).isInstanceOf(LockOutcome.Contended.class);
        assertThat(lab.pauses).containsExactly(POLL, POLL, Duration.ofMillis(50));
        assertThat(strategy.acquires).hasSize(4);
    }

    @Test
    void theObserverLearnsThatItWaitsAndHowItEnds() {
        List<LockEvent> observed = lab.observe();
        strategy.contends(HELD);
        GrantAcquisition acquisition = lab.acquisition(strategy, Duration.ofMillis(250));

        lab.run(acquisition.start());
        acquisition.close();
        acquisition.close();

        assertThat(observed).extracting(LockEvent::kind).containsExactly(Kind.WAITING, Kind.CONTENDED);
        assertThat(observed.get(1).waited()).contains(Duration.ofMillis(250));
    }

    @Test
    void theObserverLearnsThatAPossibleGrantWasReleased() {
        List<LockEvent> observed = lab.observe();
        FakeStrategy granting =
                new FakeStrategy().failsToAcquire(Fault.AMBIGUOUS).releases(Step.done(true));
        GrantAcquisition acquisition = lab.acquisition(granting, ZERO);

        lab.run(acquisition.start());
        acquisition.close();

        assertThat(observed).extracting(LockEvent::kind).containsExactly(Kind.COMPENSATED, Kind.FAILED);
    }

    @Test
    void theObserverLearnsOfAGrantThatTheCallerDidNotGet() {
        List<LockEvent> observed = lab.observe();
        FakeStrategy granting = new FakeStrategy().grants(5).releases(Step.done(true));
        GrantAcquisition acquisition = lab.acquisition(granting, ZERO);

        lab.run(acquisition.start());
        lab.run(acquisition.compensate());
        acquisition.close();

        assertThat(observed).extracting(LockEvent::kind).containsExactly(Kind.COMPENSATED, Kind.FAILED);
    }

    @Test
    void waitsNoLongerThanTheHolderHasLeft() {
        strategy.contends(heldBy("other", 1, Optional.of(Duration.ofMillis(30))))
                .grants(2);

        assertThat(acquired(Duration.ofSeconds(5)).fencingToken()).isEqualTo(2);
        assertThat(lab.pauses).containsExactly(Duration.ofMillis(30));
    }

    @Test
    void lostRaceForAFreeLockIsWaitedFor() {
        LockSnapshot expired = heldBy("other", 1, Optional.of(ZERO));
        strategy.contends(expired).contends(LockSnapshot.unused(Lab.NAME)).grants(2);

        assertThat(acquired(Duration.ofSeconds(5)).fencingToken()).isEqualTo(2);
        assertThat(lab.pauses).containsExactly(POLL, POLL);
    }

    @Test
    void everyAttemptHasTheSameOwnerAndItsOwnStart() {
        strategy.contends(HELD).failsToAcquire(Fault.AMBIGUOUS).grants(2);

        acquired(Duration.ofSeconds(5));

        assertThat(strategy.acquires).extracting(AcquireContext::owner).containsOnly(OWNER);
        assertThat(strategy.acquires).extracting(AcquireContext::startedNanos).doesNotHaveDuplicates();
    }

    @Test
    void unchangedLockIsObservedFromItsFirstReply() {
        strategy.contends(HELD)
                .contends(HELD)
                .contends(heldBy("other", 2, Optional.empty()))
                .contends(HELD);

        outcome(POLL.multipliedBy(3));

        assertThat(strategy.acquires)
                .extracting(AcquireContext::previous)
                .containsExactly(
                        Optional.empty(),
                        Optional.of(new Observation(HELD, POLL)),
                        Optional.of(new Observation(HELD, POLL.multipliedBy(2))),
                        Optional.of(new Observation(heldBy("other", 2, Optional.empty()), POLL)));
    }

    @ParameterizedTest
    @EnumSource(names = {"TRANSIENT", "NOT_SENT", "WRITE_CONFLICT", "DUPLICATE_KEY", "AMBIGUOUS", "UNKNOWN_COMMIT"})
    void aFaultIsFollowedByTheSameQuestion(Fault fault) {
        strategy.failsToAcquire(fault).failsToAcquire(fault).grants(2);

        assertThat(acquired(ZERO).fencingToken()).isEqualTo(2);
        assertThat(lab.pauses).containsExactly(Lab.RETRY, Lab.RETRY);
    }

    /** The holder is for the message only. */
    @Test
    void raceThatIsLostIsContendedAlthoughTheHolderCannotBeRead() {
        strategy.failsToAcquire(Fault.WRITE_CONFLICT).showsNothing(Fault.NOT_SENT);

        assertThat(outcome(ZERO)).isEqualTo(new LockOutcome.Contended(LockSnapshot.unused(Lab.NAME)));
    }

    @Test
    void aRefusalAfterALostReplyIsCompensatedToo() {
        strategy.failsToAcquire(Fault.AMBIGUOUS).failsToAcquire(Fault.REJECTED);

        assertThat(failure(ZERO)).isEqualTo(Fault.REJECTED);
        assertThat(strategy.calls).containsExactly("acquire", "acquire", RELEASE);
    }

    /** The reply may come from a read, which does not stop the execution of commands in flight. */
    @Test
    void anAttemptWithoutAnAnswerIsReleasedAfterOneThatIsContended() {
        strategy.failsToAcquire(Fault.AMBIGUOUS).contends(HELD);

        assertThat(outcome(ZERO)).isInstanceOf(LockOutcome.Contended.class);
        assertThat(strategy.calls).containsExactly("acquire", "acquire", RELEASE);
    }

    @Test
    @Tag("finds:contended-and-taken-later")
    void anAttemptThatMayHaveBeenSentTwiceIsReleasedBeforeItIsContended() {
        GrantAcquisition acquisition = repeatedAndContended(ZERO);

        assertThat(lab.result(acquisition.start())).isEqualTo(new LockOutcome.Contended(HELD));
        assertThat(strategy.calls).containsExactly("acquire", RELEASE);
        assertThat(acquisition.needsCompensation()).isFalse();
    }

    @Test
    @Tag("finds:contended-and-taken-later")
    void anAttemptThatTookLongIsReleasedBeforeItIsContended() {
        strategy.answers(context -> {
            lab.time.advance(Duration.ofMillis(251));
            return Step.done(new LockOutcome.Contended(HELD));
        });

        assertThat(outcome(ZERO)).isInstanceOf(LockOutcome.Contended.class);
        assertThat(strategy.calls).containsExactly("acquire", RELEASE);
    }

    @Test
    void waiterCompensatesOnceAtItsDeadlineForACommandThatMayHaveBeenSentTwice() {
        GrantAcquisition acquisition = repeatedAndContended(POLL.multipliedBy(2));

        assertThat(lab.result(acquisition.start())).isInstanceOf(LockOutcome.Contended.class);
        assertThat(strategy.calls).containsExactly("acquire", "acquire", "acquire", RELEASE);
    }

    @Test
    void interruptedWaiterCompensatesForACommandThatMayHaveBeenSentTwice() {
        GrantAcquisition acquisition = repeatedAndContended(Duration.ofMinutes(1));

        assertThat(acquisition.start()).isInstanceOf(Step.Pause.class);

        assertThat(acquisition.needsCompensation()).isTrue();
        assertThat(lab.result(acquisition.compensate())).isFalse();
    }

    @Test
    void grantNeedsNoCompensationForACommandThatMayHaveBeenSentTwice() {
        GrantAcquisition acquisition = repeatedAndContended(Duration.ofMinutes(1));
        strategy.grants(2);

        assertThat(lab.result(acquisition.start())).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(strategy.calls).containsExactly("acquire", "acquire", "acquire");
    }

    @Test
    void outcomeIsIndeterminateWhenTheReleaseOfARepeatedCommandGetsNoReply() {
        FakeStrategy mute = new FakeStrategy().releases(fails(Fault.AMBIGUOUS));
        GrantAcquisition acquisition = lab.acquisition(mute, ZERO);
        mute.answers(context -> repeated(acquisition));

        assertThat(lab.result(acquisition.start())).isInstanceOf(LockOutcome.Indeterminate.class);
        assertThat(acquisition.hasPendingCompensation()).isTrue();
    }

    @Test
    void aCommandThatRunsOutOfTimeWhileTheServerAnswersIsContention() {
        for (int attempt = 0; attempt < MAX_ATTEMPTS * 2; attempt++) {
            strategy.answers(context -> OUT_OF_TIME);
        }
        strategy.grants(2).shows(HELD);

        assertThat(acquired(Duration.ofMinutes(1)).fencingToken()).isEqualTo(2);
        assertThat(lab.pauses).isEqualTo(Collections.nCopies(MAX_ATTEMPTS * 2, POLL));
    }

    @Test
    @Tag("finds:blocked-waiter-fails")
    void aWaiterThatIsBlockedUntilTheDeadlineIsContended() {
        strategy.answers(context -> OUT_OF_TIME).shows(HELD);

        assertThat(outcome(POLL.plusMillis(260))).isEqualTo(new LockOutcome.Contended(LockSnapshot.unused(Lab.NAME)));
        assertThat(strategy.calls).containsExactly("acquire", "inspect", "acquire", "inspect", RELEASE);
        assertThat(lab.pauses).containsExactly(POLL, POLL, Duration.ofMillis(160));
    }

    @Test
    void aBlockedWriteThatMayComeLateIsIndeterminateAtTheDeadline() {
        strategy.answers(context -> mayExecuteLate).shows(HELD);

        assertThat(outcome(POLL)).isEqualTo(new LockOutcome.Indeterminate(OWNER, timeOut));
        assertThat(strategy.calls).endsWith("inspect", RELEASE);
    }

    @Test
    void aWriteThatMayComeLateIsIndeterminateAfterLostRaces() {
        strategy.answers(context -> mayExecuteLate).failsToAcquire(Fault.WRITE_CONFLICT);
        strategy.showsNothing(Fault.TRANSIENT);

        assertThat(outcome(ZERO)).isEqualTo(new LockOutcome.Indeterminate(OWNER, timeOut));
        assertThat(strategy.calls).endsWith("acquire", RELEASE);
    }

    /** The pool has no connection, or no server is found: a later read may succeed, and proves nothing. */
    @ParameterizedTest
    @EnumSource(names = {"TRANSIENT", "NOT_SENT"})
    void timeoutWithoutABlockingTransactionIsAFault(Fault fault) {
        strategy.answers(context -> new Step.Fail<>(new Reply.Failed(fault, timeOut)))
                .shows(HELD);

        assertThat(failure(Duration.ofMinutes(1))).isEqualTo(fault);
        assertThat(strategy.calls).isEqualTo(Collections.nCopies(MAX_ATTEMPTS, "acquire"));
    }

    @Test
    void serverThatRepliesAgainIsReadAgain() {
        strategy.showsNothing(Fault.TRANSIENT).answers(context -> OUT_OF_TIME);
        for (int attempt = 0; attempt < MAX_ATTEMPTS * 2; attempt++) {
            strategy.answers(context -> {
                strategy.shows(HELD);
                return OUT_OF_TIME;
            });
        }
        strategy.grants(2);

        assertThat(acquired(Duration.ofMinutes(1)).fencingToken()).isEqualTo(2);
    }

    @Test
    void missingReplyIsAFault() {
        strategy.answers(context -> OUT_OF_TIME).showsNothing(Fault.TRANSIENT);

        assertThat(failure(Duration.ofMinutes(1))).isEqualTo(Fault.AMBIGUOUS);
        assertThat(strategy.calls).containsExactly("acquire", "inspect", "acquire", "acquire", "inspect", RELEASE);
    }

    @Test
    void aGrantThatNoMajorityHasIsAFault() {
        strategy.answers(context -> OUT_OF_TIME).shows(heldBy(OWNER.stored(), 1, Optional.empty()));

        assertThat(failure(Duration.ofMinutes(1))).isEqualTo(Fault.AMBIGUOUS);
        assertThat(strategy.calls).endsWith("acquire", "inspect", RELEASE);
    }

    @Test
    void faultsAreCountedAgainAfterAnAnswer() {
        for (int i = 0; i < 4; i++) {
            strategy.failsToAcquire(Fault.TRANSIENT)
                    .failsToAcquire(Fault.TRANSIENT)
                    .contends(HELD);
        }
        strategy.grants(9);

        assertThat(acquired(Duration.ofMinutes(1)).fencingToken()).isEqualTo(9);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_CONFLICT", "DUPLICATE_KEY"})
    void aLostRaceIsContentionNotFailure(Fault fault) {
        strategy.failsToAcquire(fault).shows(HELD);

        assertThat(outcome(ZERO)).isEqualTo(new LockOutcome.Contended(HELD));
        assertThat(strategy.calls).endsWith("acquire", "inspect");
    }

    @Test
    void aLeaseThatEndedBeforeItsGrantArrivedIsAskedForAgain() {
        strategy.answers(this::late).grants(4);

        Lease lease = acquired(Duration.ofMinutes(1));

        assertThat(LeaseTimes.remaining(lease, lab.time.nanoTime())).isEqualTo(TTL);
        assertThat(strategy.calls).containsExactly("acquire", "acquire");
    }

    @Test
    void aLeaseThatEndedBeforeItsGrantArrivedIsNotGranted() {
        strategy.answers(this::late);

        assertThat(outcome(ZERO)).isInstanceOf(LockOutcome.Contended.class);
        assertThat(strategy.calls).containsExactly("acquire", RELEASE, "inspect");
    }

    @Test
    void leaseThatEndedBeforeItsGrantArrivedIsIndeterminateIfItsReleaseGetsNoReply() {
        FakeStrategy mute = new FakeStrategy().answers(this::late).releases(fails(Fault.AMBIGUOUS));

        assertThat(lab.result(lab.acquisition(mute, ZERO).start())).isInstanceOf(LockOutcome.Indeterminate.class);
    }

    /** By the server's clock the lease may last longer: the attempt may have been executed late. */
    @Test
    void leaseThatEndedBeforeItsGrantArrivedIsReleasedIfLaterAttemptsFail() {
        strategy.answers(this::late).failsToAcquire(Fault.REJECTED);

        assertThat(failure(Duration.ofHours(1))).isEqualTo(Fault.REJECTED);
        assertThat(strategy.calls).containsExactly("acquire", "acquire", RELEASE);
    }

    @Test
    void onlyAnOpenQuestionOrAGrantNeedsCompensation() {
        strategy.contends(HELD);
        GrantAcquisition waiting = acquisition(Duration.ofMinutes(1));
        assertThat(waiting.needsCompensation()).isFalse();

        Step<LockOutcome> pause = waiting.start();
        assertThat(pause).isInstanceOf(Step.Pause.class);
        assertThat(waiting.needsCompensation()).isFalse();

        FakeStrategy ambiguous = new FakeStrategy().failsToAcquire(Fault.AMBIGUOUS);
        GrantAcquisition asking = lab.acquisition(ambiguous, ZERO);
        asking.start();
        assertThat(asking.needsCompensation()).isTrue();
    }

    @Test
    void faultsAreAlsoBoundedByTime() {
        strategy.answers(context -> {
            lab.time.advance(Duration.ofSeconds(2));
            return fails(Fault.TRANSIENT);
        });

        assertThat(failure(ZERO)).isEqualTo(Fault.TRANSIENT);
        assertThat(strategy.calls).isEqualTo(List.of("acquire"));
    }

    private GrantAcquisition repeatedAndContended(Duration wait) {
        GrantAcquisition acquisition = acquisition(wait);
        strategy.answers(context -> repeated(acquisition)).contends(HELD);
        return acquisition;
    }

    private static Step<LockOutcome> repeated(GrantAcquisition acquisition) {
        acquisition.limit().orElseThrow().noteRepeated();
        return Step.done(new LockOutcome.Contended(HELD));
    }

    private Step<LockOutcome> late(AcquireContext context) {
        lab.time.advance(TTL);
        return Step.done(context.acquired(3));
    }

    private GrantAcquisition acquisition(Duration wait) {
        return lab.acquisition(strategy, wait);
    }

    private LockOutcome outcome(Duration wait) {
        return lab.result(acquisition(wait).start());
    }

    private Lease acquired(Duration wait) {
        return ((LockOutcome.Acquired) outcome(wait)).lease();
    }

    private Fault failure(Duration wait) {
        return ((Step.Fail<LockOutcome>) lab.run(acquisition(wait).start()))
                .failure()
                .fault();
    }
}
