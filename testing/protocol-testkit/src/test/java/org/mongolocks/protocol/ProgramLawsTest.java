package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;

class ProgramLawsTest {
    @Test
    void programWithStateIsDetected() {
        AtomicInteger asked = new AtomicInteger();
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> asked.incrementAndGet() % 2 == 0 ? Step.fail(failure(reply)) : contended(context)));

        assertBroken(ProtocolLaws::programIsPure, stub, "stub/acquire");
    }

    @Test
    void endlessProgramIsDetected() {
        assertBroken(
                ProtocolLaws::programEnds,
                AcquireStub.acquiring(ProgramLawsTest::acquireEndlessly),
                "A program ends after a few operations");
    }

    @Test
    void uninterpretedReplyIsDetected() {
        MongoOp deletion = new MongoOp.DeleteOne("stub/delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME));
        AcquireStub stub =
                AcquireStub.acquiring(context -> Step.call(deletion, reply -> AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::programEnds, stub, "A program throws no exception");
    }

    @Test
    void evaluatedOwnerIsDetected() {
        assertBroken(
                ProtocolLaws::callerStringIsNeverEvaluated,
                sending(UpdateSpec.pipeline(set("owner", ProtocolFixture.ME.stored()))),
                "stub/change");
    }

    @Test
    void lockNameAsFieldNameIsDetected() {
        assertBroken(
                ProtocolLaws::callerStringIsNeverEvaluated,
                sending(UpdateSpec.operators(set("locks." + ProtocolFixture.NAME, "x"))),
                "locks.$job");
    }

    @Test
    void lockNameInProjectionIsDetected() {
        AcquireStub stub = sending(new MongoOp.FindOne(
                "stub/read",
                LOCKS,
                LeaseDocument.named(ProtocolFixture.NAME),
                Optional.of(BsonDocument.parse("{shown: '$job'}"))));

        assertBroken(ProtocolLaws::callerStringIsNeverEvaluated, stub, "projection");
    }

    @Test
    void lockNameInProjectionOfWriteIsDetected() {
        AcquireStub stub = sending(new MongoOp.FindOneAndUpdate(
                "stub/change",
                LOCKS,
                LeaseDocument.named(ProtocolFixture.NAME),
                UpdateSpec.operators(set("a", "x")),
                false,
                Optional.of(BsonDocument.parse("{shown: '$job'}"))));

        assertBroken(ProtocolLaws::callerStringIsNeverEvaluated, stub, "fields");
    }

    @Test
    void evaluatedOwnerInFilterIsDetected() {
        BsonDocument filter = BsonDocument.parse("{$expr: {$eq: ['$owner', '" + ProtocolFixture.ME + "']}}");

        assertBroken(
                ProtocolLaws::callerStringIsNeverEvaluated,
                sending(new MongoOp.DeleteOne("stub/delete", LOCKS, filter)),
                "$expr");
    }

    @Test
    void labelWithoutStrategyNameIsDetected() {
        AcquireStub stub = sending(new MongoOp.DeleteOne("delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME)));

        assertBroken(ProtocolLaws::operationIsLabelled, stub, "delete  {");
    }

    @Test
    void unknownCollectionIsDetected() {
        AcquireStub stub =
                sending(new MongoOp.DeleteOne("stub/delete", "fences", LeaseDocument.named(ProtocolFixture.NAME)));

        assertBroken(ProtocolLaws::collectionIsInSchema, stub, "\"fences\"");
    }

    @Test
    void pipelineOfClockFreeStrategyIsDetected() {
        AcquireStub stub = new AcquireStub(
                Set.of(Trait.CLOCK_FREE), context -> AcquireStub.correct().acquire(context));

        assertBroken(ProtocolLaws::operationsMatchTraits, stub, "a clock-free one sends no pipelines");
    }

    private static Step<LockOutcome> acquireEndlessly(AcquireContext context) {
        return Step.call(
                AcquireStub.acquireOrExtend(context),
                reply -> reply.failedWith(Fault.TRANSIENT)
                        ? acquireEndlessly(context)
                        : AcquireStub.interpret(context, reply));
    }

    private static AcquireStub sending(UpdateSpec change) {
        return sending(new MongoOp.FindOneAndUpdate(
                "stub/change", LOCKS, LeaseDocument.named(ProtocolFixture.NAME), change, false));
    }

    private static AcquireStub sending(MongoOp op) {
        return AcquireStub.acquiring(context -> Step.call(op, reply -> contended(context)));
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
