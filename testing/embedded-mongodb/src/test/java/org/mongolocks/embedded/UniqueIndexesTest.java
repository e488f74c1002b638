package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** A unique index beside the one on {@code _id} refuses documents that have nothing to do with each other. */
class UniqueIndexesTest {
    private static final int DUPLICATE_KEY = 11_000;

    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unique: true | 11000",
                "unique: true, sparse: true | 0",
                "sparse: true | 0",
            })
    void twoLocksWithoutAnOwner(String options, int code) {
        engine.run("{createIndexes: 'c', indexes: [{key: {owner: 1}, name: 'owner', " + options + "}]}");
        engine.run("{insert: 'c', documents: [{_id: 'a', locked: false}]}");

        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 'b', locked: false}]}")))
                .isEqualTo(code);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 'c'}, update: {$set: {locked: false}},"
                        + " upsert: true, new: true}")))
                .isEqualTo(code);
    }

    @Test
    void anUpdateThatFreesALockIsRefusedLikeAnInsert() {
        engine.run("{createIndexes: 'c', indexes: [{key: {owner: 1}, name: 'owner', unique: true}]}");
        engine.run("{insert: 'c', documents: [{_id: 'a'}, {_id: 'b', owner: 'x'}]}");

        BsonDocument release = engine.run("{findAndModify: 'c', query: {_id: 'b'}, update: {$unset: {owner: 1}}}");

        assertThat(code(release)).isEqualTo(DUPLICATE_KEY);
        assertThat(release.getDocument("keyPattern")).isEqualTo(BsonDocument.parse("{owner: 1}"));
        assertThat(release.getDocument("keyValue")).isEqualTo(BsonDocument.parse("{owner: null}"));
    }
}
