package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.BrokenStrategies.assertBroken;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.spi.LockSchema.LOCKS;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.START;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;

class TransactionLawsTest {
    private static final RequestReply STARTED = bounded(START, acknowledged());
    private static final RequestReply DELETED = new RequestReply(deletion(), counted(1));
    private static final RequestReply FAILED = new RequestReply(deletion(), failed(Fault.WRITE_CONFLICT));
    private static final RequestReply COMMITTED = bounded(COMMIT, acknowledged());
    private static final RequestReply COMMIT_UNKNOWN = bounded(COMMIT, failed(Fault.UNKNOWN_COMMIT));
    private static final RequestReply ABORTED = bounded(ABORT, acknowledged());

    @Test
    void transactionIsCommittedOrAborted() {
        assertThat(isKept(STARTED, DELETED, COMMITTED)).isTrue();
        assertThat(isKept(STARTED, DELETED, ABORTED, DELETED)).isTrue();
        assertThat(isKept(STARTED, DELETED)).isFalse();
    }

    @Test
    void transactionThatDidNotStartNeedsNoEnd() {
        assertThat(isKept(bounded(START, failed(Fault.NOT_SENT)))).isTrue();
    }

    @Test
    void onlyAbortFollowsFailure() {
        assertThat(isKept(STARTED, FAILED, ABORTED)).isTrue();
        assertThat(isKept(STARTED, FAILED, COMMITTED)).isFalse();
        assertThat(isKept(STARTED, FAILED, DELETED, ABORTED)).isFalse();
        assertThat(isKept(STARTED, FAILED)).isFalse();
    }

    @Test
    void unknownCommitMayBeRepeated() {
        assertThat(isKept(STARTED, COMMIT_UNKNOWN, COMMITTED)).isTrue();
        assertThat(isKept(STARTED, COMMIT_UNKNOWN, COMMIT_UNKNOWN)).isTrue();
        assertThat(isKept(STARTED, COMMIT_UNKNOWN, ABORTED)).isFalse();
    }

    @Test
    void endedTransactionIsNotEndedAgain() {
        assertThat(isKept(STARTED, COMMITTED, COMMITTED)).isFalse();
        assertThat(isKept(STARTED, bounded(COMMIT, failed(Fault.TRANSIENT)), ABORTED))
                .isFalse();
        assertThat(isKept(ABORTED)).isFalse();
    }

    @Test
    void transactionDoesNotStartInAnother() {
        assertThat(isKept(STARTED, STARTED, COMMITTED)).isFalse();
    }

    @Test
    void openTransactionIsDetected() {
        assertBroken(ProtocolLaws::openTransactionIsEnded, starting(), "startTransaction");
    }

    @Test
    void undeclaredTransactionIsDetected() {
        assertBroken(ProtocolLaws::operationsMatchTraits, starting(), "startTransaction");
    }

    private static AcquireStub starting() {
        LockOutcome contended = new LockOutcome.Contended(LockSnapshot.unused(ProtocolFixture.NAME));
        return AcquireStub.acquiring(context -> Step.call(STARTED.op(), reply -> Step.done(contended)));
    }

    private static boolean isKept(RequestReply... exchanges) {
        return TransactionLaws.isKept(new ProgramTrace(List.of(exchanges), Step.done(false)));
    }

    private static RequestReply bounded(Boundary boundary, Reply reply) {
        return new RequestReply(new MongoOp.Transaction("stub/boundary", boundary), reply);
    }

    private static MongoOp deletion() {
        return new MongoOp.DeleteOne("stub/delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME));
    }
}
