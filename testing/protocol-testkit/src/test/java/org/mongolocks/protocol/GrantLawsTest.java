package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;

class GrantLawsTest {
    @Test
    void grantAfterLostReplyIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply.failedWith(Fault.AMBIGUOUS)
                        ? Step.done(context.acquired(1))
                        : AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "<- AMBIGUOUS");
    }

    @Test
    void grantWithoutCheckOfOwnerIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(context.acquired(7))));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "stub/acquire");
    }

    @Test
    void grantWithOtherTokenIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> AcquireStub.correct()
                .acquire(context)
                .andThen(outcome -> Step.done(
                        outcome instanceof LockOutcome.Acquired
                                ? context.acquired(LockDocumentFixtures.TOKEN + 1)
                                : outcome)));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "fencingToken=8");
    }

    @Test
    void grantToAnotherOwnerIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> AcquireStub.correct()
                .acquire(context)
                .andThen(outcome -> Step.done(
                        outcome instanceof LockOutcome.Acquired acquired
                                ? givenTo(ProtocolFixture.OTHER, acquired)
                                : outcome)));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "ends with Acquired");
    }

    @Test
    void grantAfterReadOnlyIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                new MongoOp.FindOne(
                        "stub/read", LockSchema.LOCKS, LeaseDocument.named(context.name()), Optional.empty()),
                reply -> reply.equals(Reply.Found.none())
                        ? Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())))
                        : AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "stub/read");
    }

    @Test
    void faultReportedAsContendedIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply instanceof Reply.Failed ? contended(context) : AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::uninterpretedFaultEndsProgram, stub, "ends with Contended");
    }

    @Test
    void faultReportedAsAnotherFaultIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply.failedWith(Fault.AMBIGUOUS)
                        ? Step.fail(Replies.failed(Fault.TRANSIENT))
                        : AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::uninterpretedFaultEndsProgram, stub, "fails with TRANSIENT");
    }

    private static LockOutcome givenTo(Owner owner, LockOutcome.Acquired acquired) {
        Lease lease = acquired.lease();
        return new LockOutcome.Acquired(
                new Lease(lease.name(), owner, lease.fencingToken(), lease.ttl(), lease.validUntilNanos()));
    }

    private static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }
}
