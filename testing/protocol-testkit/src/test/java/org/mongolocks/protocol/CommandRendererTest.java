package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.ReadSchema.Part;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.MongoOp.UpdateSpec;

class CommandRendererTest {
    private static final BsonDocument ONE = BsonDocument.parse("{a: 1}");

    @Test
    void aReadOrASingleWriteIsShownWithItsArguments() {
        assertShown(new MongoOp.InsertOne("l", "c", ONE), "{insert: 'c', document: {a: 1}}");
        assertShown(new MongoOp.DeleteOne("l", "c", ONE), "{delete: 'c', query: {a: 1}}");
        assertShown(new MongoOp.FindOne("l", "c", ONE, Optional.empty()), "{find: 'c', filter: {a: 1}}");
    }

    @Test
    void aChangeIsShownAsOperatorsOrAsAPipeline() {
        assertShown(
                new MongoOp.UpdateOne("l", "c", ONE, UpdateSpec.operators(ONE), false),
                "{update: 'c', query: {a: 1}, update: {a: 1}}");
        assertShown(
                new MongoOp.FindOneAndUpdate("l", "c", ONE, UpdateSpec.pipeline(ONE), true),
                "{findAndModify: 'c', query: {a: 1}, update: [{a: 1}], upsert: true}");
        assertShown(
                new MongoOp.FindOneAndUpdate("l", "c", ONE, UpdateSpec.operators(ONE), false, Optional.of(ONE)),
                "{findAndModify: 'c', query: {a: 1}, update: {a: 1}, fields: {a: 1}}");
    }

    @Test
    void operationWithoutADocumentIsShownByItsName() {
        assertShown(new MongoOp.Transaction("l", Boundary.COMMIT), "{commitTransaction: 1}");
        assertShown(new MongoOp.Hello("l", "hello"), "{hello: 1}");
        assertShown(new MongoOp.CreateCollection("l", new LockCollection("c", Optional.empty())), "{create: 'c'}");
        TtlIndex ttl = new TtlIndex("at", Duration.ofHours(1));
        assertShown(
                new MongoOp.CreateCollection("l", new LockCollection("c", Optional.of(ttl))),
                "{create: 'c', ttl: 'at', expireAfterSeconds: NumberLong(3600)}");
        assertShown(new MongoOp.ReadSchema("l", "c", Part.INDEXES), "{readSchema: 'c', part: 'INDEXES'}");
    }

    private static void assertShown(MongoOp op, String command) {
        assertThat(CommandRenderer.of(op)).isEqualTo(BsonDocument.parse(command));
    }
}
