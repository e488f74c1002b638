package org.mongolocks.reactive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.nor;
import static com.mongodb.client.model.Filters.not;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.BasicDBObject;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonDocumentWrapper;
import org.bson.BsonRegularExpression;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.CollectionCodecProvider;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.MapCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecProvider;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.reactive.FencedDriver.Fenced;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** Tests that fenced documents refuse late holders, on both drivers. */
@ParameterizedClass(name = "{0}")
@EnumSource(FencedDriver.class)
@ExtendWith(DroppedDatabase.class)
class FencedCollectionTest {
    private static final String NAME = "fenced";

    @Parameter
    private FencedDriver driver = FencedDriver.SYNC;

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final MongoCollection<Document> plain = connection
            .sync()
            .getDatabase(ContractServer.DATABASE)
            .getCollection(NAME)
            .withWriteConcern(WriteConcern.MAJORITY);
    private final String id = UUID.randomUUID().toString();
    private final Bson mine = eq("_id", id);

    @Test
    void touchReturnsTheDocumentAndMarksIt() {
        plain.insertOne(new Document("_id", id).append("balance", 10));

        Document touched = holder(5).touch(mine).orElseThrow();

        assertThat(touched).containsEntry("balance", 10).containsEntry("fence", 5L);
        assertThat(stored()).isEqualTo(touched);
    }

    @Test
    void aDocumentThatIsNotThereIsMissingAndNotRefused() {
        assertThat(holder(5).touch(mine)).isEmpty();
        assertThat(holder(5).update(mine, set("balance", 1))).isFalse();
        assertThat(stored()).isNull();
    }

    static Stream<Bson> updatesOfEveryKind() {
        BsonDocument set = BsonDocument.parse("{$set: {balance: 11}}");
        BsonDocument max = BsonDocument.parse("{balance: 11}");
        CodecRegistry codecs = MongoClientSettings.getDefaultCodecRegistry();
        return Stream.of(
                set("balance", 11),
                set,
                RawBsonDocument.parse("{$set: {balance: 11}}"),
                RawBsonDocument.parse("{$max: {balance: 11}}"),
                new BsonDocument("$max", new RawBsonDocument(max, new BsonDocumentCodec())),
                new Document("$set", new Document("balance", 11)),
                new BasicDBObject("$set", new BasicDBObject("balance", 11)),
                new BsonDocumentWrapper<>(new Document("$max", max), codecs.get(Document.class)));
    }

    @ParameterizedTest
    @MethodSource("updatesOfEveryKind")
    @Tag("finds:fenced-raw-update")
    void updateMayBeAnyKindOfDocument(Bson update) {
        plain.insertOne(new Document("_id", id).append("balance", 10));
        Fenced<Document> holder = holder(5);
        holder.touch(RawBsonDocument.parse("{_id: '" + id + "'}"));

        assertThat(holder.update(RawBsonDocument.parse("{_id: '" + id + "'}"), update))
                .isTrue();

        assertThat(stored()).containsEntry("balance", 11).containsEntry("fence", 5L);
    }

    @Test
    void pipelineMayBeRawDocuments() {
        plain.insertOne(new Document("_id", id).append("balance", 10));
        Fenced<Document> holder = holder(5);
        holder.touch(mine);

        assertThat(holder.update(mine, List.of(RawBsonDocument.parse("{$set: {balance: 11}}"))))
                .isTrue();

        assertThat(stored()).containsEntry("balance", 11).containsEntry("fence", 5L);
    }

    @Test
    @Tag("finds:fenced-id-in-and")
    void newDocumentMayBeSelectedByAnyConditionThatHasItsId() {
        List<Bson> filters = List.of(
                and(mine, eq("kind", "a")),
                and(eq("kind", "a"), and(mine, exists("gone", false))),
                new Document("_id", new Document("$eq", id)).append("kind", "a"),
                RawBsonDocument.parse("{$and: [{_id: {$eq: '" + id + "'}}, {kind: 'a'}]}"),
                new BasicDBObject("_id", id).append("kind", "a"));

        for (Bson filter : filters) {
            assertThat(holder(5).touchOrCreate(filter, RawBsonDocument.parse("{balance: 1}")))
                    .isEqualTo(new Document("_id", id)
                            .append("kind", "a")
                            .append("fence", 5L)
                            .append("balance", 1));
            plain.deleteOne(mine);
        }
    }

    @Test
    void filterFromWhichNoIdFollowsIsRefused() {
        List<Bson> filters = List.of(
                eq("kind", "a"),
                or(mine, eq("_id", "other")),
                nor(mine),
                not(mine),
                and(gt("_id", id), eq("kind", "a")),
                in("_id", id, "other"),
                eq("_id", new Document("$regex", id)));

        for (Bson filter : filters) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> holder(5).touchOrCreate(filter, new Document()))
                    .withMessageContaining("_id");
        }
    }

    static Stream<CodecRegistry> registries() {
        CodecRegistry drivers = MongoClientSettings.getDefaultCodecRegistry();
        CodecProvider pojos = PojoCodecProvider.builder().automatic(true).build();
        return Stream.of(
                fromRegistries(fromProviders(new MapCodecProvider()), drivers),
                fromRegistries(fromProviders(pojos), drivers),
                fromRegistries(drivers, fromProviders(pojos)),
                fromProviders(new ValueCodecProvider(), new CollectionCodecProvider(), new MapCodecProvider(), pojos),
                fromProviders(new ValueCodecProvider(), new DocumentCodecProvider()));
    }

    @ParameterizedTest
    @MethodSource("registries")
    @Tag("finds:fenced-codecs")
    void fencedCollectionWorksWithTheCodecsOfTheCollection(CodecRegistry codecs) {
        Bson numbered = eq("_id", UUID.randomUUID().getMostSignificantBits());
        Fenced<Document> late = driver.open(connection, NAME, codecs, Fence.of(5));
        late.touchOrCreate(numbered, BsonDocument.parse("{balance: 10}"));
        Fenced<Document> next = driver.open(connection, NAME, codecs, Fence.of(6));

        assertThat(next.touch(numbered)).isPresent();
        assertThat(next.update(numbered, inc("balance", 1))).isTrue();
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> late.update(numbered, set("balance", 99)));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> late.touch(numbered));

        assertThat(plain.find(numbered).first()).containsEntry("balance", 11).containsEntry("fence", 6L);
    }

    @Test
    void noFilterIsNoDocument() {
        plain.insertOne(new Document("_id", id));

        assertThatNullPointerException().isThrownBy(() -> holder(5).touch(null)).withMessage("The filter is null");

        assertThat(stored()).doesNotContainKey("fence");
    }

    @Test
    void stringWithADollarSignIsData() {
        Fenced<Document> holder = holder(5);
        Document created = holder.touchOrCreate(eq("_id", "$" + id), new Document("name", "$$ROOT"));

        assertThat(created).containsEntry("_id", "$" + id).containsEntry("name", "$$ROOT");
        assertThat(holder.update(eq("_id", "$" + id), set("name", "$fence"))).isTrue();
        assertThat(plain.find(eq("_id", "$" + id)).first()).containsEntry("name", "$fence");
    }

    @Test
    void anUpdateIsNoNewDocument() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder(5).touchOrCreate(mine, set("balance", 0)))
                .withMessageContaining("initial must be fields of a new document")
                .withMessageContaining("$set");
    }

    @Test
    void aNewDocumentIsCreatedOnceAndTouchedAfterwards() {
        Document created = holder(5).touchOrCreate(mine, new Document("balance", 0));
        Document found = holder(6).touchOrCreate(mine, new Document("balance", 100));

        assertThat(created).containsEntry("balance", 0).containsEntry("fence", 5L);
        assertThat(found).containsEntry("balance", 0).containsEntry("fence", 6L);
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder(5).touchOrCreate(mine, new Document()));
    }

    @Test
    void concurrentCreationsMakeOneDocument() throws Exception {
        List<BackgroundTask<Document>> holders = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            holders.add(BackgroundTask.run(() -> holder(5).touchOrCreate(mine, new Document("balance", 0))));
        }

        for (BackgroundTask<Document> holder : holders) {
            assertThat(holder.result()).containsEntry("fence", 5L).containsEntry("balance", 0);
        }
        assertThat(plain.countDocuments(mine)).isEqualTo(1);
    }

    @Test
    void aDocumentIsCreatedByItsIdOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder(5).touchOrCreate(eq("name", id), new Document()))
                .withMessageContaining("_id");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder(5).touchOrCreate(new Document("_id", new Document("$gt", id)), new Document()))
                .withMessageContaining("_id");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        holder(5).touchOrCreate(new Document("_id", new BsonRegularExpression(id)), new Document()))
                .withMessageContaining("_id");
    }

    @Test
    void somethingElseInTheFieldOfTheMarkIsAnErrorAndStays() {
        plain.insertOne(new Document("_id", id).append("fence", "of wood"));

        assertThatIllegalStateException()
                .isThrownBy(() -> holder(5).touch(mine))
                .withMessageContaining("STRING");

        assertThat(stored()).containsEntry("fence", "of wood");
    }

    private Fenced<Document> holder(long token) {
        return driver.open(connection, NAME, Fence.of(token));
    }

    private Document stored() {
        return plain.find(mine).first();
    }
}
