package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;

import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of collMod: another expiry, a hidden index, refused options. */
class CollectionModificationTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void createIndexes() {
        engine.run("{createIndexes: 'c', indexes: ["
                + "{key: {e: 1}, name: 'e', expireAfterSeconds: 100}, {key: {x: 1}, name: 'x'}]}");
    }

    @Test
    void changedExpiryIsReportedAsGivenAndStoredAsLong() {
        BsonDocument first = engine.run("{collMod: 'c', index: {keyPattern: {e: 1.0}, expireAfterSeconds: 10}}");
        BsonDocument second = engine.run("{collMod: 'c', index: {name: 'e', expireAfterSeconds: 20}}");

        assertThat(first.get("expireAfterSeconds_old")).isEqualTo(new BsonInt32(100));
        assertThat(first.get("expireAfterSeconds_new")).isEqualTo(new BsonInt32(10));
        assertThat(second.get("expireAfterSeconds_old")).isEqualTo(new BsonInt64(10));
        assertThat(batch(engine.run("{listIndexes: 'c'}")).get(1))
                .isEqualTo(BsonDocument.parse("{v: 2, key: {e: 1}, name: 'e', expireAfterSeconds: NumberLong(20)}"));
    }

    @Test
    void anotherExpiryCounts() {
        engine.run("{insert: 'c', documents: [{_id: 1, e: {$date: '" + TestEngine.START + "'}}]}");
        engine.advance(Duration.ofSeconds(30));
        assertThat(batch(engine.run("{find: 'c'}"))).hasSize(1);

        engine.run("{collMod: 'c', index: {name: 'e', expireAfterSeconds: 20}}");
        engine.advance(Duration.ofSeconds(2));

        assertThat(batch(engine.run("{find: 'c'}"))).isEmpty();
    }

    @Test
    void hidingIsReportedOnlyOnce() {
        BsonDocument first = engine.run("{collMod: 'c', index: {name: 'x', hidden: true}}");
        BsonDocument second = engine.run("{collMod: 'c', index: {name: 'x', hidden: true}}");

        assertThat(first.getBoolean("hidden_old").getValue()).isFalse();
        assertThat(first.getBoolean("hidden_new").getValue()).isTrue();
        assertThat(second).doesNotContainKeys("hidden_old", "hidden_new");
    }

    @Test
    void uniqueIndexListsUniqueBeforeItsKey() {
        engine.run("{createIndexes: 'c', indexes: [{key: {u: 1}, name: 'u', sparse: true, unique: 1}]}");

        assertThat(batch(engine.run("{listIndexes: 'c'}")).get(3).keySet())
                .containsExactly("v", "unique", "key", "name", "sparse");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{collMod: 'c'} | 0",
                "{collMod: 'missing'} | 26",
                "{collMod: 'c', bogus: 1} | 72",
                "{collMod: 'c', index: {name: 'e'}} | 72",
                "{collMod: 'c', index: {expireAfterSeconds: 1}} | 72",
                "{collMod: 'c', index: {name: 'e', keyPattern: {e: 1}, expireAfterSeconds: 1}} | 72",
                "{collMod: 'c', index: {name: 5, expireAfterSeconds: 1}} | 72",
                "{collMod: 'c', index: {keyPattern: 5, expireAfterSeconds: 1}} | 72",
                "{collMod: 'c', index: {name: 'e', expireAfterSeconds: 'x'}} | 72",
                "{collMod: 'c', index: {name: 'e', hidden: 1}} | 72",
                "{collMod: 'c', index: {name: 'x', expireAfterSeconds: 1}} | 72",
                "{collMod: 'c', index: {name: '_id_', hidden: true}} | 2",
                "{collMod: 'c', index: {name: 'nope', expireAfterSeconds: 1}} | 27",
                "{collMod: 'c', index: {keyPattern: {nope: 1}, expireAfterSeconds: 1}} | 27",
                "{collMod: 'c', recordPreImages: true} | 238",
            })
    void invalidOptionsAreRefused(String command, int code) {
        assertThat(code(engine.run(command))).isEqualTo(code);
    }
}
