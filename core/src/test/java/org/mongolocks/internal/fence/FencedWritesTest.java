package org.mongolocks.internal.fence;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.mongolocks.Fence;
import org.mongolocks.internal.fence.FencedWrites.UnwrittenSearch;

class FencedWritesTest {
    private static final Collation GERMAN = Collation.builder().locale("de").build();
    private static final Document LET = new Document("wanted", 1);

    private final FencedDocuments<Document> documents =
            new FencedDocuments<>(Fence.of(5), Document.class, MongoClientSettings.getDefaultCodecRegistry());

    @Test
    void searchHasTheOptionsThatDecideWhatItsWriteMatches() {
        Bson filter = eq("name", "ann");
        Bson hint = eq("name", 1);
        List<FencedWrites> writes = List.of(
                documents.update(
                        filter,
                        set("a", 1),
                        new UpdateOptions().collation(GERMAN).hint(hint).let(LET)),
                documents.replace(
                        filter,
                        new Document(),
                        new ReplaceOptions().collation(GERMAN).hint(hint).let(LET)),
                documents.delete(
                        filter, new DeleteOptions().collation(GERMAN).hint(hint).let(LET)));

        for (FencedWrites write : writes) {
            assertThat(write.options().getLet()).isEqualTo(LET);
            assertThat(write.searches())
                    .containsExactly(new UnwrittenSearch(
                            write.searches().get(0).filter(), new FencedWrites.Matching(GERMAN, hint, null), LET));
            assertThat(rendered(write.searches().get(0)))
                    .isEqualTo(BsonDocument.parse("{$and: [{name: 'ann'}, {fence: {$ne: NumberLong(5)}}]}"));
        }
    }

    @Test
    void bulkIsSearchedOnceForEachCollation() {
        Bson filter = eq("name", "ann");
        List<WriteModel<Document>> writes = List.of(
                new DeleteOneModel<>(filter),
                new UpdateOneModel<>(filter, set("a", 1), new UpdateOptions().collation(GERMAN)),
                new ReplaceOneModel<>(eq("name", "bob"), new Document()));

        List<UnwrittenSearch> searches =
                documents.writes(writes, new BulkWriteOptions().let(LET)).searches();

        assertThat(searches).hasSize(2).allMatch(search -> LET.equals(search.let()));
        assertThat(rendered(searches.get(0))).isEqualTo(BsonDocument.parse("""
                {$and: [{$or: [{name: 'ann'}, {name: 'bob'}]}, {fence: {$ne: NumberLong(5)}}]}"""));
        assertThat(searches.get(1).matching().collation()).isEqualTo(GERMAN);
    }

    @Test
    void searchOfManyWritesIsSplit() {
        List<WriteModel<Document>> writes = IntStream.rangeClosed(0, 2 * FencedWrites.MAX_FILTERS)
                .<WriteModel<Document>>mapToObj(number -> new DeleteOneModel<>(eq("_id", number)))
                .toList();

        List<UnwrittenSearch> searches =
                documents.writes(writes, new BulkWriteOptions()).searches();

        assertThat(searches).hasSize(3);
        assertThat(rendered(searches.get(2)))
                .isEqualTo(BsonDocument.parse("{$and: [{_id: 2000}, {fence: {$ne: NumberLong(5)}}]}"));
    }

    private static BsonDocument rendered(UnwrittenSearch search) {
        return search.filter().toBsonDocument(BsonDocument.class, MongoClientSettings.getDefaultCodecRegistry());
    }
}
