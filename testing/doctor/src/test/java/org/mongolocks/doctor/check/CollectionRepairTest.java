package org.mongolocks.doctor.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.schema.ExistingCollection;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;

class CollectionRepairTest {
    private static final String ID = "{v: 2, key: {_id: 1}, name: '_id_'}";
    private static final String TTL = "{v: 2, key: {purgeAt: 1}, name: 'purgeAt_1', expireAfterSeconds: 0}";
    private static final String CREATE = "db.createCollection(\"locks\")";
    private static final String CREATE_INDEX =
            "db.getCollection(\"locks\").createIndex({\"purgeAt\": 1}, {expireAfterSeconds: 0})";

    private static final LockCollection WANTED =
            new LockCollection("locks", Optional.of(new TtlIndex("purgeAt", Duration.ZERO)));

    @Test
    void missingPartsAreCreated() {
        ExistingCollection missing =
                new ExistingCollection(WANTED, "locks", Optional.empty(), Optional.of(List.of()), Optional.empty());

        assertThat(new CollectionRepair(missing).of(missing.gaps())).containsExactly(CREATE, CREATE_INDEX);
    }

    @Test
    void conflictingIndexIsDroppedByItsName() {
        ExistingCollection odd =
                locks("{}", ID, "{key: {purgeAt: 1}, name: 'my \\\"own\\\"', expireAfterSeconds: 3600}");

        assertThat(new CollectionRepair(odd).of(odd.gaps()))
                .containsExactly("db.getCollection(\"locks\").dropIndex(\"my \\\"own\\\"\")", CREATE_INDEX);
    }

    @Test
    void harmfulIndexIsDropped() {
        assertThat(repair(locks("{}", ID, TTL, "{v: 2, key: {rev: 1}, name: 'rev_1', unique: true}")))
                .containsExactly("db.getCollection(\"locks\").dropIndex(\"rev_1\")");
    }

    @Test
    void validatorIsRemoved() {
        assertThat(repair(locks("{validator: {owner: {$exists: true}}}", ID, TTL)))
                .containsExactly("db.runCommand({collMod: \"locks\", validator: {}})");
    }

    /** The new collection has no indexes and no validator, so that no other command is needed. */
    @Test
    void collectionIsRecreatedWithItsDocuments() {
        assertThat(repair(locks(
                        "{capped: true, size: 4096, collation: {locale: 'en'}, validator: {n: 1}}",
                        ID,
                        TTL,
                        "{v: 2, key: {rev: 1}, name: 'rev_1', unique: true}")))
                .containsExactly(
                        "db.getCollection(\"locks\").renameCollection(\"locks.before\")",
                        CREATE,
                        CREATE_INDEX,
                        "db.getCollection(\"locks.before\").find().forEach(lock =>"
                                + " db.getCollection(\"locks\").insertOne(lock))");
    }

    /** A view cannot be renamed. */
    @Test
    void viewIsReplaced() {
        assertThat(repair(described("{name: 'locks', type: 'view', options: {collation: {locale: 'en'}}}")))
                .containsExactly("db.getCollection(\"locks\").drop()", CREATE, CREATE_INDEX);
    }

    @Test
    void timeSeriesIsNotDropped() {
        assertThat(repair(described("{name: 'locks', type: 'timeseries', options: {}}")))
                .isEmpty();
    }

    @Test
    void shardKeyIsChanged() {
        ExistingCollection sharded = new ExistingCollection(
                WANTED, "locks", Optional.empty(), Optional.empty(), Optional.of(BsonDocument.parse("{owner: 1}")));

        assertThat(repair(sharded))
                .containsExactly("db.adminCommand({reshardCollection: db.getName() + \".locks\", key: {_id: 1}})");
    }

    private static List<String> repair(ExistingCollection collection) {
        return new CollectionRepair(collection).of(collection.faults());
    }

    private static ExistingCollection locks(String options, String... indexes) {
        return described("{name: 'locks', type: 'collection', options: " + options + "}", indexes);
    }

    private static ExistingCollection described(String entry, String... indexes) {
        return new ExistingCollection(
                WANTED,
                "locks",
                Optional.of(BsonDocument.parse(entry)),
                Optional.of(Stream.of(indexes).map(BsonDocument::parse).toList()),
                Optional.empty());
    }
}
