package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.internal.wait.ReleaseEvents.Release;

class ReleaseEventsTest {
    private static final long FIRST = 5 * Numbers.COUNT;
    private static final Numbers OWN = new Numbers(FIRST, "version");

    @Test
    void withoutListsEachReleaseIsSelected() {
        List<BsonDocument> pipeline = ReleaseEvents.pipeline();

        assertThat(alternatives(pipeline))
                .containsExactly(
                        BsonDocument.parse("{operationType: 'delete'}"),
                        BsonDocument.parse("{operationType: 'replace', 'fullDocument.owner': {$exists: false}}"),
                        BsonDocument.parse("{operationType: 'update',"
                                + " 'updateDescription.removedFields': {$in: ['owner', 'holder']}}"));
        assertThat(pipeline.get(1))
                .isEqualTo(BsonDocument.parse("{$project: {operationType: 1, documentKey: 1, ns: 1}}"));
    }

    @Test
    void eventsWithTurnsHaveTheRevisionAndTheRestOfTheLease() {
        assertThat(ReleaseEvents.pipeline(Optional.of(OWN)).get(1))
                .isEqualTo(BsonDocument.parse("{$project: {operationType: 1, documentKey: 1, ns: 1,"
                        + " revision: {$ifNull: ['$updateDescription.updatedFields.version', '$fullDocument.version']},"
                        + " turn: {$ifNull: ['$updateDescription.updatedFields.turn', '$fullDocument.turn']},"
                        + " heldMillis: '$updateDescription.updatedFields.leaseMs'}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{revision: 'x', turn: 'x', heldMillis: null}"})
    void missingFieldsAndFieldsOfAnotherTypeAreUnknown(String event) {
        assertThat(Release.of(BsonDocument.parse(event))).isEqualTo(new Release(0, List.of(), Duration.ZERO));
    }

    /** The selected events without the end of the collection, which is the last alternative. */
    private static List<BsonDocument> alternatives(List<BsonDocument> pipeline) {
        List<BsonDocument> any = pipeline.get(0).getDocument("$match").getArray("$or").stream()
                .map(alternative -> alternative.asDocument())
                .toList();
        assertThat(any.get(any.size() - 1).getDocument("operationType").getArray("$in"))
                .extracting(type -> type.asString().getValue())
                .containsExactlyInAnyOrder("drop", "rename", "dropDatabase", "invalidate");
        return any.subList(0, any.size() - 1);
    }
}
