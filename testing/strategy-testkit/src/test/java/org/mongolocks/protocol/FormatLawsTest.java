package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.Optional;
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
    void insertWithoutMarkIsDetected() {
        AcquireStub stub = AcquireStub.acquiring(context -> Step.call(
                new MongoOp.InsertOne("stub/insert", LockSchema.LOCKS, LeaseDocument.named(context.name())),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::foreignDocumentIsNeverChanged, stub, "stub/insert");
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
