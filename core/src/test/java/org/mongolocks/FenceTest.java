package org.mongolocks;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.max;
import static com.mongodb.client.model.Updates.rename;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FenceTest {
    private final Fence fence = Fence.of(7);

    @Test
    void aFenceHasTheTokenOfTheGrant() {
        Lease lease = new Lease(
                LockName.of("invoices"), new Owner("worker", UUID.randomUUID()), 42, Duration.ofSeconds(10), 0);

        assertThat(Fence.of(lease)).isEqualTo(new Fence("fence", 42));
        assertThat(Fence.of(lease).withField("locks.invoices")).isEqualTo(new Fence("locks.invoices", 42));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "a.", ".a", "a..b", "$a", "a.$b", "$$ROOT", "_id", "_id.a", "a.0", "17", "a\0b", "a\ud800"
            })
    void aFieldThatWouldMeanSomethingElseIsRefused(String field) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.withField(field))
                .withMessageContaining("field must be a name other than _id")
                .withMessageContaining("'" + field + "'");
    }

    @Test
    void aTokenBelowOneIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Fence.of(0)).withMessageContaining("at least 1");
    }

    @Test
    void aTouchMarksWithTheLargerToken() {
        assertRendered(fence.touch(), "{$max: {fence: {$numberLong: '7'}}}");
    }

    @Test
    void aTouchIsAllowedUnlessALargerTokenWasSeen() {
        assertRendered(
                fence.touchFilter(eq("_id", 1)),
                "{$and: [{_id: 1}, {$or: [{fence: null}, {fence: {$lte: {$numberLong: '7'}}}]}]}");
    }

    @Test
    void theMarkIsAddedToOperatorsAndToALargestOfTheUsersOwn() {
        assertRendered(
                fence.write(set("state", "$paid")), "{$set: {state: '$paid'}, $max: {fence: {$numberLong: '7'}}}");
        assertRendered(fence.write(max("high", 3)), "{$max: {high: 3, fence: {$numberLong: '7'}}}");
    }

    @Test
    void theMarkIsTheLastStageOfAPipeline() {
        Bson stage = BsonDocument.parse("{$unset: 'fence'}");

        List<Bson> stages = fence.withField("a.b").write(List.of(stage));

        assertThat(stages).hasSize(2).startsWith(stage);
        assertRendered(stages.get(1), "{$set: {a: {$mergeObjects: ['$a', {b: {$numberLong: '7'}}]}}}");
        assertRendered(
                fence.withField("a.b.c").write(List.of(stage)).get(1),
                "{$set: {a: {$mergeObjects: ['$a', {b: {$mergeObjects: ['$a.b', {c: {$numberLong: '7'}}]}}]}}}");
        assertThat(fence.write(List.of())).hasSize(1);
        assertRendered(fence.write(List.of()).get(0), "{$set: {fence: {$numberLong: '7'}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a.b.c"})
    void anUpdateThatChangesTheFieldOfTheFenceIsRefused(String changed) {
        Bson update = fence.withField("a.b").write(set(changed, 99));

        assertThatIllegalArgumentException()
                .isThrownBy(update::toBsonDocument)
                .withMessageContaining("'a.b'")
                .withMessageContaining("'" + changed + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a.b.c", "a.$[].c", "a.$[x]", "a.$"})
    @Tag("finds:fence-renamed")
    void anUpdateThatRenamesToTheFieldOfTheFenceIsRefused(String target) {
        for (Bson rename : List.of(rename("old", target), rename(target, "new"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> fence.withField("a.b").write(rename).toBsonDocument())
                    .withMessageContaining("'a.b'")
                    .withMessageContaining("'" + target + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.bc", "a.c", "ab", "b", "b.a", "lines.$[].a", "lines.$[a].b", "lines.$.b"})
    void anUpdateOfAnotherFieldIsNotRefused(String changed) {
        assertRendered(
                fence.withField("a.b").write(combine(set(changed, 1), rename("old", changed))),
                "{$set: {'%1$s': 1}, $rename: {old: '%1$s'}, $max: {'a.b': {$numberLong: '7'}}}".formatted(changed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{fence: 9}", "{a: 1}", "{$set: {a: 1}, a: 1}", "{$set: 5}", "{$max: 5}", "{$max: [{fence: 9}]}"
            })
    void anUpdateThatIsNotByOperatorsIsRefused(String update) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fence.write(BsonDocument.parse(update)).toBsonDocument())
                .withMessageContaining("operators, each with the fields that it changes");
    }

    @Test
    void twoFencesNestInOneWrite() {
        Fence other = new Fence("other", 3);

        assertRendered(
                fence.write(other.write(set("a", 1))),
                "{$set: {a: 1}, $max: {other: {$numberLong: '3'}, fence: {$numberLong: '7'}}}");
    }

    @Test
    void theUpdateOfTheUserStaysAsItWas() {
        BsonDocument update = BsonDocument.parse("{$max: {high: 3}}");

        fence.write(update).toBsonDocument();

        assertThat(update).isEqualTo(BsonDocument.parse("{$max: {high: 3}}"));
    }

    @Test
    void aLargerTokenInTheDocumentIsStale() {
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> fence.requireTouched(seen(new BsonInt64(8))))
                .satisfies(e -> assertThat(List.of(e.token(), e.seen())).containsExactly(7L, 8L))
                .withMessageContaining("'fence'");
    }

    @Test
    void theOwnTokenMayBeAnyNumber() {
        fence.requireTouched(seen(new BsonInt64(7)));
        fence.requireTouched(seen(new BsonInt32(7)));
        fence.requireTouched(seen(new BsonDouble(7)));
        fence.withField("a.b").requireTouched(BsonDocument.parse("{a: {b: 7}}"));
    }

    @Test
    void aDocumentThatWasNotTouchedIsAMistakeOfTheCaller() {
        for (BsonDocument untouched : List.of(seen(new BsonInt64(6)), seen(BsonNull.VALUE), new BsonDocument())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> fence.requireTouched(untouched))
                    .withMessageContaining("touched before it is written");
        }
    }

    @Test
    void fractionIsNoToken() {
        for (double fraction : new double[] {7.5, 8.5, Double.NaN}) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> fence.requireTouched(seen(new BsonDouble(fraction))))
                    .withMessageContaining("whole number");
        }
    }

    @Test
    void nonNumericValueIsNoToken() {
        assertThatIllegalStateException()
                .isThrownBy(() -> fence.requireTouched(seen(new BsonString("8"))))
                .withMessageContaining("STRING");
    }

    private static BsonDocument seen(BsonValue value) {
        return new BsonDocument("fence", value);
    }

    private static void assertRendered(Bson found, String expected) {
        assertThat(found.toBsonDocument()).isEqualTo(BsonDocument.parse(expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a: 1}",
                "{a: 1, fences: null}",
                "{a: 1, fences: {}}",
                "{a: 1, fences: {stock: null}}",
                "{a: 1, fences: {stock: 0}}",
                "{a: 1, fences: {stock: 7.0}}"
            })
    void replacementGetsTheToken(String document) {
        BsonDocument original = BsonDocument.parse(document);

        assertThat(fence.withField("fences.stock").replacement(original))
                .isEqualTo(BsonDocument.parse("{a: 1, fences: {stock: NumberLong(7)}}"));
        assertThat(original).isEqualTo(BsonDocument.parse(document));
    }

    @Test
    void replacementMayBeRawAndKeepsOtherFences() {
        RawBsonDocument raw = RawBsonDocument.parse("{fences: {orders: 900, stock: 7}}");

        assertThat(fence.withField("fences.stock").replacement(raw))
                .isEqualTo(BsonDocument.parse("{fences: {orders: 900, stock: NumberLong(7)}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{fences: {stock: 6}}",
                "{fences: {stock: 8}}",
                "{fences: {stock: 'x'}}",
                "{fences: {stock: 7.5}}",
                "{fences: {stock: 0.5}}",
                "{fences: {stock: NaN}}",
                "{fences: 1}",
                "{fences: []}",
                "{'fences.stock': 7}",
                "{'fences.stock.x': 7}"
            })
    void replacementThatChangesTheFieldOfTheFenceIsRefused(String document) {
        Fence stock = fence.withField("fences.stock");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> stock.replacement(BsonDocument.parse(document)))
                .withMessageContaining("must not change the field of its fence");
    }
}
