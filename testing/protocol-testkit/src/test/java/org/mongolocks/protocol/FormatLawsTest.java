package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;
import org.mongolocks.spi.lease.LeaseUpdates;

class FormatLawsTest {
    @Test
    void foreignDocumentReportedAsContendedIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                read(context), reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::foreignDocumentIsRefused, stub, "foreign/1");
    }

    @Test
    void refusalOfOwnDocumentIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                read(context),
                reply -> reply instanceof Reply.Failed
                        ? Step.fail(reply)
                        : Step.fail(Replies.failed(Fault.FOREIGN_FORMAT))));

        assertBroken(ProtocolLaws::foreignDocumentIsRefused, stub, "fails with FOREIGN_FORMAT");
    }

    @Test
    void writeWithoutMarkInFilterIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context ->
                Step.call(write(LeaseDocument.named(context.name())), reply -> AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, stub, "stub/acquire");
    }

    @Test
    void writeWithOtherMarkInFilterIsDetected() {
        LeaseDocument another = LeaseDocument.withFormat("stub/2");
        AcquireStub stub = AcquireStub.acquiring(context ->
                Step.call(write(another.filterFor(context.name())), reply -> AcquireStub.interpret(context, reply)));

        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, stub, "stub/2");
    }

    @Test
    void upsertThatComparesTheMarkInItsPipelineIsDetected() {
        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, acquireOrExtend(true), "stub/acquire");
    }

    @Test
    void stageThatDoesNotCompareTheMarkIsDetected() {
        BsonDocument more = BsonDocument.parse("{$set: {n: 1}}");

        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, acquireOrExtend(false, more), "stub/acquire");
    }

    @Test
    void foreignDocumentInTheReplyToAnUpdateReportedAsContendedIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                acquireOrExtend(context, false),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::foreignDocumentIsRefused, stub, "foreign/1");
    }

    @Test
    void insertWithoutMarkIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                new MongoOp.InsertOne("stub/insert", LockSchema.LOCKS, LeaseDocument.named(context.name())),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, stub, "stub/insert");
    }

    private static AcquireStub acquireOrExtend(boolean upsert, BsonDocument... more) {
        return AcquireStub.acquiring(context ->
                Step.call(acquireOrExtend(context, upsert, more), reply -> AcquireStub.interpret(context, reply)));
    }

    private static MongoOp acquireOrExtend(AcquireContext context, boolean upsert, BsonDocument... more) {
        LeaseDocument document = LeaseDocument.withFormat("stub/1");
        LeaseUpdates updates = document.updates();
        UpdateSpec.Pipeline update = (UpdateSpec.Pipeline) updates.acquireOrExtend(context, updates.nextToken());
        List<BsonDocument> stages =
                Stream.concat(update.stages().stream(), Stream.of(more)).toList();
        return new MongoOp.FindOneAndUpdate(
                "stub/acquire",
                LockSchema.LOCKS,
                LeaseDocument.named(context.name()),
                new UpdateSpec.Pipeline(stages),
                upsert);
    }

    private static MongoOp read(AcquireContext context) {
        return new MongoOp.FindOne(
                "stub/read", LockSchema.LOCKS, LeaseDocument.named(context.name()), Optional.empty());
    }

    private static MongoOp write(BsonDocument filter) {
        UpdateSpec change = UpdateSpec.operators(BsonDocument.parse("{$inc: {rev: 1}}"));
        return new MongoOp.FindOneAndUpdate("stub/acquire", LockSchema.LOCKS, filter, change, true);
    }

    private static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }
}
