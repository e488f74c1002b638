package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of capped collections, which are created and listed, but hold no documents. */
class CappedCollectionsTest {
    private final TestEngine engine = TestEngine.create();

    @Test
    void nothingIsDeleted() {
        engine.run("{create: 'c', capped: true, size: 4096}");

        assertThat(writeErrorCode(engine.run("{delete: 'c', deletes: [{q: {_id: 9}, limit: 1}]}")))
                .isEqualTo(20);
        assertThat(writeErrorCode(engine.run("{delete: 'c', deletes: [{q: {}, limit: 0}]}")))
                .isEqualTo(20);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, remove: true}")))
                .isEqualTo(20);
    }

    @Test
    void listCollectionsShowsItsBounds() {
        engine.run("{create: 'c', capped: true, size: 5000, max: 7}");

        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse("{capped: true, size: {$numberLong: '5120'}, max: {$numberLong: '7'}}"));
        assertThat(code(engine.run("{create: 'd', capped: true}"))).isEqualTo(72);
    }
}
