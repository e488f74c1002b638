package org.mongolocks.contract;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonRegularExpression;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.contract.FencedDriver.Fenced;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.sync.FencedCollection;

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
            .getDatabase(LockContract.DATABASE)
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

    @Test
    void aLateHolderIsRefusedBeforeTheNextHasWritten() {
        plain.insertOne(new Document("_id", id).append("balance", 10));
        Fenced late = holder(5);
        late.touch(mine);
        Fenced next = holder(6);
        next.touch(mine);

        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> late.update(mine, set("balance", 99)));
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> late.touch(mine));

        assertThat(stored()).containsEntry("balance", 10).containsEntry("fence", 6L);
        assertThat(next.update(mine, inc("balance", 1))).isTrue();
        assertThat(stored()).containsEntry("balance", 11);
    }

    @Test
    void aWriteWithoutATouchIsRefused() {
        plain.insertOne(new Document("_id", id).append("balance", 10));

        assertThatIllegalStateException().isThrownBy(() -> holder(5).update(mine, set("balance", 1)));

        assertThat(stored()).doesNotContainKey("fence").containsEntry("balance", 10);
    }

    @Test
    void aHolderMayTouchAndWriteOften() {
        plain.insertOne(new Document("_id", id));
        Fenced holder = holder(5);

        for (int round = 1; round <= 3; round++) {
            assertThat(holder.touch(mine)).isPresent();
            assertThat(holder.update(mine, inc("rounds", 1))).isTrue();
        }

        assertThat(stored()).containsEntry("rounds", 3).containsEntry("fence", 5L);
    }

    @Test
    void pipelineCannotRemoveTheFence() {
        plain.insertOne(new Document("_id", id).append("balance", 10));
        Fenced holder = holder(5);
        holder.touch(mine);

        boolean written = holder.update(
                mine, List.of(new Document("$replaceWith", new Document("_id", "$_id").append("name", "$$NOW"))));

        assertThat(written).isTrue();
        assertThat(stored()).containsOnlyKeys("_id", "name", "fence").containsEntry("fence", 5L);
    }

    @Test
    void aPipelineCannotRaiseTheMark() {
        plain.insertOne(new Document("_id", id));
        Fenced holder = holder(5);
        holder.touch(mine);

        assertThat(holder.update(mine, List.of(new Document("$set", new Document("fence", 100L)))))
                .isTrue();

        assertThat(stored()).containsEntry("fence", 5L);
    }

    @Test
    @SuppressWarnings("NullAway") // Callers without null checks do this.
    void noFilterIsNoDocument() {
        plain.insertOne(new Document("_id", id));

        assertThatNullPointerException().isThrownBy(() -> holder(5).touch(null)).withMessage("The filter is null");

        assertThat(stored()).doesNotContainKey("fence");
    }

    @Test
    void stringWithADollarSignIsData() {
        Fenced holder = holder(5);
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
    void anUpdateOfTheMarkItselfIsRefused() {
        plain.insertOne(new Document("_id", id));
        Fenced holder = holder(5);
        holder.touch(mine);

        assertThatIllegalArgumentException().isThrownBy(() -> holder.update(mine, set("fence", 99L)));
        assertThatIllegalArgumentException().isThrownBy(() -> holder.touchOrCreate(mine, new Document("fence", 99L)));
    }

    @Test
    void somethingElseInTheFieldOfTheMarkIsAnErrorAndStays() {
        plain.insertOne(new Document("_id", id).append("fence", "of wood"));

        assertThatIllegalStateException()
                .isThrownBy(() -> holder(5).touch(mine))
                .withMessageContaining("STRING");

        assertThat(stored()).containsEntry("fence", "of wood");
    }

    @Test
    void twoLocksHaveAFieldEach() {
        plain.insertOne(new Document("_id", id));
        Fenced orders = driver.open(connection, NAME, new Fence("fences.orders", 900));
        Fenced stock = driver.open(connection, NAME, new Fence("fences.stock", 3));

        assertThat(orders.touch(mine)).isPresent();
        assertThat(stock.touch(mine)).isPresent();

        assertThat(stored().get("fences")).isEqualTo(new Document("orders", 900L).append("stock", 3L));
    }

    @Test
    void inATransactionNothingIsMarkedUntilItIsCommitted() {
        plain.insertOne(new Document("_id", id).append("balance", 10));
        try (ClientSession session = connection.sync().startSession()) {
            FencedCollection<Document> inside =
                    FencedCollection.of(plain, Fence.of(5)).in(session);
            session.startTransaction();
            assertThat(inside.touch(mine)).isPresent();
            assertThat(inside.update(mine, inc("balance", 1))).isTrue();
            assertThat(stored()).doesNotContainKey("fence");
            session.commitTransaction();
        }
        assertThat(stored()).containsEntry("fence", 5L).containsEntry("balance", 11);
    }

    private Fenced holder(long token) {
        return driver.open(connection, NAME, Fence.of(token));
    }

    private Document stored() {
        return plain.find(mine).first();
    }
}
