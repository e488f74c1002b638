package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class GrantLawsTest {
    @Test
    void aGrantThatWasReadOutOfALostReplyIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                Sketch.take(context),
                reply -> reply.failedWith(Fault.AMBIGUOUS)
                        ? Step.done(context.acquired(1))
                        : Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "<- AMBIGUOUS");
    }

    @Test
    void aGrantThatDoesNotLookAtTheOwnerIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                Sketch.take(context),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : Step.done(context.acquired(7))));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "sketch/take");
    }

    @Test
    void aGrantWithATokenOfItsOwnIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Sketch.sound()
                .acquire(context)
                .andThen(outcome -> Step.done(
                        outcome instanceof LockOutcome.Acquired
                                ? context.acquired(LockDocumentFixtures.TOKEN + 1)
                                : outcome)));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "fencingToken=8");
    }

    @Test
    void aGrantToAnotherOwnerIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Sketch.sound()
                .acquire(context)
                .andThen(outcome -> Step.done(
                        outcome instanceof LockOutcome.Acquired acquired
                                ? givenTo(ProtocolFixture.OTHER, acquired)
                                : outcome)));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "ends with Acquired");
    }

    @Test
    void aGrantFromAMereLookIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                new MongoOp.FindOne(
                        "sketch/look", LockSchema.LOCKS, LeaseDocument.named(context.name()), Optional.empty()),
                reply -> reply.equals(Reply.Found.none())
                        ? Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())))
                        : Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "sketch/look");
    }

    @Test
    void aFaultThatIsTakenForContentionIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                Sketch.take(context),
                reply -> reply instanceof Reply.Failed ? contended(context) : Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aFaultWithoutAMeaningEndsTheProgram, sketch, "ends with Contended");
    }

    @Test
    void aFaultThatTurnsIntoAnotherIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                Sketch.take(context),
                reply -> reply.failedWith(Fault.AMBIGUOUS)
                        ? Step.fail(Replies.failed(Fault.TRANSIENT))
                        : Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aFaultWithoutAMeaningEndsTheProgram, sketch, "fails with TRANSIENT");
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
