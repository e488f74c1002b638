package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of the collations of collections and indexes, which are listed and not applied. */
class CollationTest {
    private static final String IGNORING_CASE = "collation: {locale: 'en', strength: 2}";

    private final TestEngine engine = TestEngine.create();

    private void createIgnoringCase() {
        engine.run("{create: 'c', " + IGNORING_CASE + "}");
    }

    @Test
    void anIndexTakesTheDefaultCollationUnlessItHasItsOwn() {
        createIgnoringCase();
        engine.run("{createIndexes: 'c', indexes: ["
                + "{key: {a: 1}, name: 'a', unique: true, sparse: true},"
                + "{key: {b: 1}, name: 'b', unique: true, sparse: true, collation: {locale: 'simple'}}]}");

        assertThat(batch(engine.run("{listIndexes: 'c'}")))
                .extracting(index -> index.containsKey("collation"))
                .containsExactly(true, true, false);
    }

    @Test
    void listCollectionsShowsTheWholeCollation() {
        createIgnoringCase();

        BsonDocument shown = batch(engine.run("{listCollections: 1}")).get(0);

        BsonDocument complete = BsonDocument.parse("""
                {locale: 'en', caseLevel: false, caseFirst: 'off', strength: 2, numericOrdering: false,
                 alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards: false,
                 version: '57.1'}""");
        assertThat(shown.getDocument("options").getDocument("collation").toJson())
                .isEqualTo(complete.toJson());
        assertThat(shown.getDocument("idIndex").getDocument("collation").toJson())
                .isEqualTo(complete.toJson());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 2",
                "{locale: 'sv'} | 238",
                "{locale: 'en', strength: 6} | 9",
                "{locale: 'en', bogus: 1} | 9",
                "{locale: 'en', caseFirst: 'bogus'} | 9",
                "{locale: 'en', backwards: 1} | 14",
                "{locale: 'simple', strength: 1} | 9",
                "{locale: 5} | 14",
            })
    void invalidCollationIsRefused(String collation, int code) {
        assertThat(code(engine.run("{create: 'c', collation: " + collation + "}")))
                .isEqualTo(code);
        assertThat(batch(engine.run("{listCollections: 1}"))).isEmpty();
    }
}
