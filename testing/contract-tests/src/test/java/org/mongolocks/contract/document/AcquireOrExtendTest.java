package org.mongolocks.contract.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.lease.LeaseDocument;

/** What the server does with the update that acquires or extends a lock, found by its name alone. */
class AcquireOrExtendTest {
    private static final EmbeddedMongo SERVER = EmbeddedMongo.start();
    private static final MongoClient MONGO = MongoClients.create(SERVER.connectionString());
    private static final LeaseDocument DOCUMENT = LeaseDocument.withFormat("stub/1");
    private static final String OWN = "<own>";

    private static final MongoCollection<Document> OPLOG =
            MONGO.getDatabase("local").getCollection("oplog.rs");

    private final MongoCollection<BsonDocument> locks =
            MONGO.getDatabase("test").getCollection("locks", BsonDocument.class);

    @AfterAll
    static void stop() {
        MONGO.close();
        SERVER.close();
    }

    @BeforeEach
    void clear() {
        locks.deleteMany(new BsonDocument());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{n: 1}",
                "{format: null, owner: null}",
                "{format: 'foreign/1', fence: 7, rev: 3, releasedAt: {$date: 0}, forcedAt: {$date: 0}}",
                "{format: 'STUB/1', releasedAt: {a: 1}, forcedAt: [1, {a: 1}]}",
                "{format: ['stub/1'], releasedAt: null, forcedAt: {$minKey: 1}}",
                "{format: {a: 'stub/1'}, fence: 'many', rev: {}, releasedAt: 'yes'}",
                "{format: 'foreign/1', owner: '" + OWN + "', renewedAt: 'today', leaseMs: [], rev: 'x', fence: {}}",
                "{format: 'foreign/1', owner: 'other', renewedAt: 'today', leaseMs: 'long'}",
            })
    void aDocumentOfAnotherFormatStaysAsItIs(String fields) {
        BsonDocument foreign = stored(fields);
        long before = OPLOG.countDocuments();

        BsonDocument returned = acquireOrExtend();

        assertThat(returned.toJson()).isEqualTo(foreign.toJson());
        assertThat(OPLOG.countDocuments()).isEqualTo(before);
        assertThat(locks.find().into(new ArrayList<>()))
                .extracting(BsonDocument::toJson)
                .containsExactly(foreign.toJson());
    }

    /** With the number of evaluated operators. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "held    | {owner: 'other', renewedAt: {$date: 4000000000000}, leaseMs: 1000}      | 52",
                "own     | {owner: '<own>', renewedAt: {$date: 4000000000000}, leaseMs: 1000}      | 51",
                "expired | {owner: 'other', renewedAt: {$date: 0}, leaseMs: 1000}                  | 86",
                "free    | {fence: 1, renewedAt: {$date: 0}, leaseMs: 1000, releasedAt: {$date: 0}} | 82",
                "foreign | {format: 'foreign/1'}                                                        | 26",
            })
    void theNameAloneIsFoundWithoutAPlan(String state, String fields, long evaluated) {
        stored(fields.contains("format") ? fields : fields.replaceFirst("\\{", "{format: 'stub/1', "));
        Document before = work();

        acquireOrExtend();

        Document after = work();
        assertThat(after.getLong("plannedQueries")).as(state).isEqualTo(before.getLong("plannedQueries"));
        assertThat(after.getLong("evaluatedExpressions") - before.getLong("evaluatedExpressions"))
                .as(state)
                .isEqualTo(evaluated);
    }

    @Test
    void aGrantRemovesTheTimeOfAForcedReleaseAndKeepsThatOfTheRelease() {
        stored(
                "{format: 'stub/1', fence: 1, renewedAt: {$date: 0}, leaseMs: 1, releasedAt: {$date: 0}, forcedAt: {$date: 0}}");

        BsonDocument returned = acquireOrExtend();

        assertThat(returned)
                .containsEntry("owner", new BsonString(ME.stored()))
                .containsEntry("releasedAt", new BsonDateTime(0))
                .doesNotContainKey("forcedAt");
    }

    private BsonDocument stored(String fields) {
        BsonDocument document = LeaseDocument.named(NAME);
        document.putAll(BsonDocument.parse(fields.replace(OWN, ME.stored())));
        locks.insertOne(document);
        return document;
    }

    private BsonDocument acquireOrExtend() {
        UpdateSpec update = DOCUMENT.updates()
                .acquireOrExtend(firstAttempt(), DOCUMENT.updates().nextToken());
        List<BsonDocument> stages = ((UpdateSpec.Pipeline) update).stages();
        return locks.findOneAndUpdate(
                LeaseDocument.named(NAME), stages, new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
    }

    private static Document work() {
        return MONGO.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("metrics", Document.class)
                .get("work", Document.class);
    }
}
