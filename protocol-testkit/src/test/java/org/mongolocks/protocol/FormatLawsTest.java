package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.UpdateSpec;

class FormatLawsTest {
    @Test
    void aForeignDocumentThatIsTakenForContentionIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                look(context), reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::aForeignDocumentIsRefused, sketch, "foreign/1");
    }

    @Test
    void aRefusalOfADocumentOfItsOwnIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                look(context),
                reply -> reply instanceof Reply.Failed
                        ? Step.fail(reply)
                        : Step.fail(Replies.failed(Fault.FOREIGN_FORMAT))));

        assertBroken(ProtocolLaws::aForeignDocumentIsRefused, sketch, "fails with FOREIGN_FORMAT");
    }

    @Test
    void aChangeOfWhateverHasTheNameIsFound() {
        Sketch sketch = Sketch.acquiring(context ->
                Step.call(take(LeaseDocument.named(context.name())), reply -> Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aForeignDocumentIsNeverChanged, sketch, "sketch/take");
    }

    @Test
    void aChangeOfDocumentsOfAnotherIsFound() {
        LeaseDocument another = LeaseDocument.withFormat("sketch/2");
        Sketch sketch = Sketch.acquiring(context ->
                Step.call(take(another.filterFor(context.name())), reply -> Sketch.ACQUIRING.answer(context, reply)));

        assertBroken(ProtocolLaws::aForeignDocumentIsNeverChanged, sketch, "sketch/2");
    }

    @Test
    void anInsertWithoutAMarkIsFound() {
        Sketch sketch = Sketch.acquiring(context -> Step.call(
                new MongoOp.InsertOne("sketch/insert", LockSchema.LOCKS, LeaseDocument.named(context.name())),
                reply -> reply instanceof Reply.Failed ? Step.fail(reply) : contended(context)));

        assertBroken(ProtocolLaws::aForeignDocumentIsNeverChanged, sketch, "sketch/insert");
    }

    private static MongoOp look(AcquireContext context) {
        return new MongoOp.FindOne(
                "sketch/look", LockSchema.LOCKS, LeaseDocument.named(context.name()), Optional.empty());
    }

    private static MongoOp take(BsonDocument filter) {
        UpdateSpec change = UpdateSpec.operators(BsonDocument.parse("{$inc: {rev: 1}}"));
        return new MongoOp.FindOneAndUpdate("sketch/take", LockSchema.LOCKS, filter, change, true);
    }

    private static Step<LockOutcome> contended(AcquireContext context) {
        return Step.done(new LockOutcome.Contended(LockSnapshot.unused(context.name())));
    }
}
