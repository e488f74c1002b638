package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;
import org.mongolocks.spi.UpdateSpec;

class ProgramLawsTest {
    @Test
    void aProgramThatKeepsStateIsFound() {
        AtomicInteger asked = new AtomicInteger();
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                Sketch.take(context),
                reply -> asked.incrementAndGet() % 2 == 0 ? Step.fail(failure(reply)) : contended(context)));

        assertBroken(ProtocolLaws::aProgramIsPure, sketch, "sketch/take");
    }

    @Test
    void aProgramThatRepeatsItselfForEverIsFound() {
        assertBroken(ProtocolLaws::aProgramEnds, Sketch.acquiring(ProgramLawsTest::askForEver), "does not end");
    }

    @Test
    void aProgramWithoutAMeaningForAReplyIsFound() {
        MongoOp deletion = new MongoOp.DeleteOne("sketch/delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME));
        Sketch sketch =
                Sketch.acquiring(context -> Step.call(deletion, reply -> Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aProgramEnds, sketch, "does not handle the last reply");
    }

    @Test
    void anOwnerThatIsEvaluatedIsFound() {
        assertBroken(
                ProtocolLaws::aCallersStringIsNeverAnExpression,
                sending(UpdateSpec.pipeline(set("owner", ProtocolFixture.ME.stored()))),
                "sketch/change");
    }

    @Test
    void aLockThatNamesAFieldIsFound() {
        assertBroken(
                ProtocolLaws::aCallersStringIsNeverAnExpression,
                sending(UpdateSpec.operators(set("locks." + ProtocolFixture.NAME, "x"))),
                "locks.$job");
    }

    @Test
    void aLockNameInAProjectionIsFound() {
        Sketch sketch = sending(new MongoOp.FindOne(
                "sketch/look",
                LOCKS,
                LeaseDocument.named(ProtocolFixture.NAME),
                Optional.of(BsonDocument.parse("{shown: '$job'}"))));

        assertBroken(ProtocolLaws::aCallersStringIsNeverAnExpression, sketch, "projection");
    }

    @Test
    void aLockNameInTheProjectionOfAWriteIsFound() {
        Sketch sketch = sending(new MongoOp.FindOneAndUpdate(
                "sketch/change",
                LOCKS,
                LeaseDocument.named(ProtocolFixture.NAME),
                UpdateSpec.operators(set("a", "x")),
                false,
                Optional.of(BsonDocument.parse("{shown: '$job'}"))));

        assertBroken(ProtocolLaws::aCallersStringIsNeverAnExpression, sketch, "fields");
    }

    @Test
    void anOwnerThatIsEvaluatedInAFilterIsFound() {
        BsonDocument filter = BsonDocument.parse("{$expr: {$eq: ['$owner', '" + ProtocolFixture.ME + "']}}");

        assertBroken(
                ProtocolLaws::aCallersStringIsNeverAnExpression,
                sending(new MongoOp.DeleteOne("sketch/delete", LOCKS, filter)),
                "$expr");
    }

    @Test
    void aForeignLabelIsFound() {
        Sketch sketch = sending(new MongoOp.DeleteOne("delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME)));

        assertBroken(ProtocolLaws::anOperationIsLabelled, sketch, "delete  {");
    }

    @Test
    void anUnknownCollectionIsFound() {
        Sketch sketch =
                sending(new MongoOp.DeleteOne("sketch/delete", "fences", LeaseDocument.named(ProtocolFixture.NAME)));

        assertBroken(ProtocolLaws::aCollectionIsInTheSchema, sketch, "\"fences\"");
    }

    @Test
    void aClockFreeStrategyThatComputesIsFound() {
        Sketch sketch =
                new Sketch(Set.of(Trait.CLOCK_FREE), context -> Sketch.sound().acquire(context));

        assertBroken(ProtocolLaws::theTraitsAreTrue, sketch, "$$NOW");
    }

    private static Step<LockOutcome> askForEver(AcquireContext context) {
        return Step.call(
                Sketch.take(context),
                reply -> reply.failedWith(Fault.TRANSIENT)
                        ? askForEver(context)
                        : Sketch.ACQUIRING.answer(context, reply));
    }

    private static Sketch sending(UpdateSpec change) {
        return sending(new MongoOp.FindOneAndUpdate(
                "sketch/change", LOCKS, LeaseDocument.named(ProtocolFixture.NAME), change, false));
    }

    private static Sketch sending(MongoOp op) {
        return Sketch.acquiring(context -> Step.call(op, reply -> contended(context)));
    }

    private static BsonDocument set(String field, String value) {
        return new BsonDocument("$set", new BsonDocument(field, new BsonString(value)));
    }

    private static Reply failure(Reply reply) {
        return reply instanceof Reply.Failed ? reply : Replies.failed(Fault.REJECTED);
    }

    private static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }
}
