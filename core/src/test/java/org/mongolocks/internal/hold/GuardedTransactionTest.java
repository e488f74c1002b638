package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.FakeStrategy.failure;
import static org.mongolocks.internal.hold.HoldingLab.MARGIN;
import static org.mongolocks.internal.hold.HoldingLab.PERIOD;
import static org.mongolocks.internal.hold.HoldingLab.TTL;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockStorageException;
import org.mongolocks.LossReason;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.MongoOp.Transaction;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class GuardedTransactionTest {
    private static final Step<Renewal> RENEWED = Step.done(new Renewal.Renewed());

    private final HoldingLab lab = new HoldingLab();
    private final Deque<Fault> commits = new ArrayDeque<>();
    private final List<Boundary> sent = new ArrayList<>();
    private final Hold hold = lab.hold("a", true);
    private final GuardedTransaction transaction = new GuardedTransaction(lab.settings(), hold);

    @Test
    void theRenewalCountsWhenItIsCommittedAndFromItsTouch() {
        lab.strategy.renews(RENEWED);
        lab.lab.time.advance(Duration.ofSeconds(1));
        run(transaction.startTransaction());
        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN).minusSeconds(1));
        lab.lab.time.advance(Duration.ofSeconds(2));

        assertThat(run(transaction.commit())).isTrue();

        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN).minusSeconds(2));
        assertThat(sent).containsExactly(Boundary.START, Boundary.COMMIT);
    }

    @Test
    void transactionWaitsForARunningRenewalNoLongerThanItsLease() {
        lab.strategy.renews(RENEWED);
        lab.delays = true;
        lab.timer.advance(PERIOD);
        CompletableFuture<Void> quiet = transaction.pauseRenewals();

        lab.timer.advance(TTL);

        assertThat(quiet).isCompleted();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(transaction::startTransaction);
    }

    @Test
    void transactionWaitsForARunningRenewal() {
        lab.strategy.renews(RENEWED);
        lab.delays = true;
        lab.timer.advance(PERIOD);

        assertThat(transaction.pauseRenewals()).isNotDone();
        lab.answer();
        transaction.resumeRenewals();

        assertThat(transaction.pauseRenewals()).isCompleted();
    }

    @Test
    void oneTransactionAtATimeIsOpen() {
        assertThat(transaction.pauseRenewals()).isCompleted();

        assertThatIllegalStateException()
                .isThrownBy(() -> new GuardedTransaction(lab.settings(), hold).pauseRenewals())
                .withMessageContaining("'a'");
    }

    @Test
    void theEndOfTheLeaseBeforeTheCommitAborts() {
        lab.strategy.renews(RENEWED);
        run(transaction.startTransaction());
        lab.lab.time.advance(TTL);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> run(transaction.commit()))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(LossReason.EXPIRED));

        assertThat(sent).containsExactly(Boundary.START, Boundary.ABORT);
    }

    @Test
    void touchThatFindsTheLockLostReportsTheLoss() {
        lab.strategy.renews(Step.done(new Renewal.Lost(LossReason.FORCED)));

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> run(transaction.startTransaction()));

        assertThat(lab.told).containsExactly(LossReason.FORCED);
        assertThat(sent).containsExactly(Boundary.START, Boundary.ABORT);
    }

    @Test
    void releasedLockGuardsNoTransaction() {
        lab.strategy.releases(Step.done(true));
        lab.lab.run(hold.releaseProgram(lab.settings()));

        assertThatIllegalStateException().isThrownBy(transaction::pauseRenewals).withMessageContaining("was released");
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_CONFLICT", "TRANSIENT", "NOT_SENT"})
    void aTouchIsRepeatedInANewTransaction(Fault fault) {
        lab.strategy.renews(fails(fault)).renews(RENEWED);

        run(transaction.startTransaction());

        assertThat(sent).containsExactly(Boundary.START, Boundary.ABORT, Boundary.START);
    }

    @Test
    void aServerWithoutTransactionsIsRefusedWithAdvice() {
        lab.strategy.renews(fails(Fault.UNSUPPORTED));

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> run(transaction.startTransaction()))
                .withMessageContaining("replica set");
    }

    @Test
    void commitWithoutReplyIsIndeterminate() {
        lab.strategy.renews(RENEWED);
        run(transaction.startTransaction());
        commits.addAll(List.of(Fault.UNKNOWN_COMMIT, Fault.NOT_SENT, Fault.NOT_SENT, Fault.NOT_SENT, Fault.NOT_SENT));

        assertThatExceptionOfType(IndeterminateOutcomeException.class)
                .isThrownBy(() -> run(transaction.commit()))
                .withMessageContaining("'a'")
                .returns(IndeterminateOutcomeException.Operation.COMMIT, IndeterminateOutcomeException::operation);

        assertThat(sent).hasSize(1 + 1 + GuardedTransaction.MAX_REPEATED_COMMITS);
    }

    @Test
    void aCommitThatWasNeverSentHasNotHappened() {
        lab.strategy.renews(RENEWED);
        run(transaction.startTransaction());
        commits.addAll(List.of(Fault.NOT_SENT, Fault.NOT_SENT, Fault.NOT_SENT, Fault.NOT_SENT));

        assertThat(last(transaction.commit())).isInstanceOf(Step.Fail.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_CONFLICT", "TRANSIENT"})
    void aCommitThatIsRefusedForNowLetsAllBeRepeated(Fault fault) {
        lab.strategy.renews(RENEWED);
        run(transaction.startTransaction());
        commits.addAll(List.of(Fault.UNKNOWN_COMMIT, fault));

        assertThat(run(transaction.commit())).isFalse();
        assertThat(hold.isHeld()).isTrue();
    }

    @Test
    void workIsRepeatedAfterAPassingFaultOnly() {
        MongoException passing = new MongoException("conflict");
        passing.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);

        assertThat(run(transaction.again(passing))).isTrue();
        assertThat(run(transaction.again(new IllegalStateException("wrapped", passing))))
                .isTrue();
        assertThat(run(transaction.again(new MongoException("other")))).isFalse();
        assertThat(run(transaction.again(new IllegalStateException("own")))).isFalse();
        assertThat(sent).containsOnly(Boundary.ABORT);
    }

    @Test
    void workIsNotRepeatedForEver() {
        MongoException passing = new MongoException("conflict");
        passing.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);

        int times = 0;
        while (run(transaction.again(passing))) {
            times++;
        }

        assertThat(times).isEqualTo(Lab.MAX_ATTEMPTS - 1);
    }

    @Test
    void transactionIsLimitedByTheRemainingLease() {
        assertThat(transaction.limit()).isEqualTo(TTL.minus(MARGIN)).isLessThan(GuardedTransaction.MAX_LIMIT);
        lab.lab.time.advance(TTL);
        assertThat(transaction.limit()).isPositive();
    }

    private <R> R run(Step<R> program) {
        return ((Step.Done<R>) last(program)).result();
    }

    private <R> Step<R> last(Step<R> program) {
        Step<R> step = lab.lab.run(program);
        while (step instanceof Step.Call<R> call) {
            step = lab.lab.run(call.then().apply(answer((Transaction) call.op())));
        }
        return step;
    }

    private Reply answer(Transaction op) {
        sent.add(op.boundary());
        boolean fails = op.boundary() == Boundary.COMMIT && !commits.isEmpty();
        return fails ? failure(commits.remove()) : new Reply.Acknowledged();
    }
}
