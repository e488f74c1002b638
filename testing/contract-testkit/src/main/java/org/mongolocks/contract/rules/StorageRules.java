package org.mongolocks.contract.rules;

import static com.mongodb.client.model.CollationStrength.SECONDARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ValidationOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FullLifecycle;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.RawCollection;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;

/**
 * Rules OP on what is stored: documents of another strategy or version are refused and left unchanged; collections and
 * indexes are created, validated or left alone, as configured; few privileges are needed.
 */
public interface StorageRules extends ContractContext {
    /** A document of another format, with no holder: every strategy would take it for an unlocked lock. */
    String FREE = "{format: 'foreign/1', fence: 7, rev: 3, version: 3, locked: false}";
    /** A held lock without a format mark, as stored before formats were marked. */
    String UNMARKED = "{owner: 'x/00000000-0000-0000-0000-000000000001', fence: 7, rev: 3, version: 3, locked: true}";
    /** A document that is not a lock. */
    String NO_LOCK = "{n: 1}";
    /** A document with nothing but its name, as a lock by insert and delete leaves it: the upsert of a name begins so. */
    String NAME_ONLY = "{}";

    /**
     * OP-1. A lock document without the strategy's own format mark is refused, held or not, with an error that names
     * both formats, and stays unchanged.
     */
    @ParameterizedTest
    @ValueSource(strings = {FREE, UNMARKED, NO_LOCK, NAME_ONLY})
    @ContractRule("OP-1")
    default void aForeignDocumentIsRefusedAndLeftAlone(String fields) throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection));
        BsonDocument foreign = stored(collection).insert(name, fields);

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> locks.tryAcquire(name, ttl()))
                .withMessageContaining(name.value())
                .withMessageContaining(collection)
                .withMessageContaining(strategy().format().orElseThrow());
        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> locks.tryAcquire(
                        LockRequest.of(name, ttl()).fixedLease().waitAtMost(ttl())));
        assertThatExceptionOfType(LockStorageException.class).isThrownBy(() -> locks.inspect(name));
        assertThat(stored(collection).find(name)).contains(foreign);
    }

    /**
     * OP-2. A client that is built on a collection with documents of another strategy refuses locks of their names,
     * grants others, and leaves the documents unchanged.
     */
    @Test
    @ContractRule("OP-2")
    default void documentsOfAnotherAreRefusedByTheFirstAttempt() throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BsonDocument foreign = stored(collection).insert(name, FREE);
        BlockingLocks locks = newLocks(builder -> builder.collection(collection));

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> locks.tryAcquire(name, ttl()))
                .satisfies(refusal -> assertThat(refusal.faults())
                        .singleElement()
                        .asString()
                        .contains("'" + collection + "'", "'foreign/1'"));
        acquire(locks, freshName());
        assertThat(stored(collection).find(name)).contains(foreign);
    }

    /**
     * OP-3. A lock document that was replaced by one of another format cannot be renewed, released or force-released:
     * its holder has lost it, and the document stays unchanged.
     */
    @Test
    @ContractRule("OP-3")
    default void lockWithAForeignDocumentIsLost() throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection));
        BlockingLock held = acquire(locks, name);
        var seen = locks.inspect(name).orElseThrow();
        BsonDocument foreign = stored(collection).remark(name, "foreign/1");

        assertThat(locks.forceRelease(seen)).isFalse();
        assertThat(held.renew()).isFalse();
        assertThat(held.release()).isFalse();
        assertThat(stored(collection).find(name)).contains(foreign);
    }

    /** OP-4. A list names documents of other formats and still shows the locks. */
    @Test
    @ContractRule("OP-4")
    default void aListNamesForeignDocuments() throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection));
        BlockingLock held = acquire(locks, freshName());
        stored(collection).insert(name, FREE);

        var page = locks.list(LockQuery.all());

        assertThat(page.foreign()).containsExactly(name.value());
        assertThat(page.locks())
                .hasSize(1)
                .allSatisfy(
                        lock -> assertThat(lock.name()).isEqualTo(held.lease().name()));
    }

    /**
     * OP-13. With schema mode VALIDATE a client creates nothing, and its error names what is missing.
     */
    @Test
    @ContractRule("OP-13")
    default void missingSchemaIsReportedAndNotCreated() throws Exception {
        String collection = freshCollection();

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(
                        () -> newLocks(builder -> builder.collection(collection).schema(SchemaMode.VALIDATE)))
                .satisfies(reported -> assertThat(reported.faults())
                        .hasSize(wanted())
                        .first()
                        .asString()
                        .contains(collection));
        assertThat(stored(collection).exists()).isFalse();

        newLocks(builder -> builder.collection(collection).schema(SchemaMode.CREATE));
        BlockingLocks locks = newLocks(builder -> builder.collection(collection).schema(SchemaMode.VALIDATE));
        acquire(locks, freshName());
    }

    /** OP-14. With schema mode NONE a client creates nothing when it is built, and locks work. */
    @Test
    @ContractRule("OP-14")
    default void schemaModeNoneCreatesNothing() throws Exception {
        String collection = freshCollection();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection).schema(SchemaMode.NONE));
        assertThat(stored(collection).exists()).isFalse();

        acquire(locks, freshName());

        assertThat(stored(collection).indexes()).hasSize(1);
    }

    /**
     * OP-16. In every schema mode, building a client fails if an index on any of its collections deletes locks, or
     * refuses them because of other locks: the error names the collection and the index.
     */
    @Test
    @ContractRule("OP-16")
    default void anIndexThatBreaksLocksIsRefused() throws Exception {
        Map<String, IndexOptions> harmful = Map.of(
                "TTL index",
                        new IndexOptions().expireAfter(0L, TimeUnit.SECONDS).name("of-others"),
                "unique index", new IndexOptions().unique(true).name("of-others"));
        for (Map.Entry<String, IndexOptions> index : harmful.entrySet()) {
            for (String collection : collections()) {
                assertRefused(
                        collection,
                        stored -> stored.index("renewedAt", index.getValue()),
                        index.getKey(),
                        "'of-others'");
            }
        }
    }

    /**
     * OP-17. In every schema mode, building a client fails if any of its collections treats different names as equal,
     * deletes or refuses documents by itself, or is not a collection: the error names the collection and the cause.
     */
    @Test
    @ContractRule("OP-17")
    default void aCollectionThatBreaksLocksIsRefused() throws Exception {
        Collation caseless =
                Collation.builder().locale("en").collationStrength(SECONDARY).build();
        ValidationOptions owned = new ValidationOptions().validator(Filters.exists("owner"));
        for (String collection : collections()) {
            assertRefused(
                    collection,
                    stored -> stored.create(new CreateCollectionOptions().collation(caseless)),
                    "default collation");
            assertRefused(
                    collection,
                    stored -> stored.create(
                            new CreateCollectionOptions().capped(true).sizeInBytes(4096)),
                    "capped");
            assertRefused(
                    collection,
                    stored -> stored.create(new CreateCollectionOptions().validationOptions(owned)),
                    "validator");
            assertRefused(collection, stored -> stored.createView("nothing"), "type view");
        }
    }

    /** Gives one collection of the strategy a harmful option, and checks that a client refuses it in each mode. */
    private void assertRefused(String collection, Consumer<RawCollection> oddity, String... reported)
            throws InterruptedException {
        String base = freshCollection();
        String odd = strategy().schema().resolve(collection, base);
        oddity.accept(stored(odd));
        for (SchemaMode mode : SchemaMode.values()) {
            assertThatExceptionOfType(LockStorageException.class)
                    .as("%s with %s", collection, mode)
                    .isThrownBy(
                            () -> newLocks(builder -> builder.collection(base).schema(mode)))
                    .withMessageContaining("'" + odd + "'")
                    .withMessageContainingAll(reported);
        }
    }

    private List<String> collections() {
        return strategy().schema().collections().stream()
                .map(LockCollection::name)
                .toList();
    }

    private int wanted() {
        return strategy().schema().collections().stream()
                .map(LockCollection::ttl)
                .mapToInt(ttl -> ttl.isPresent() ? 2 : 1)
                .sum();
    }

    /**
     * Returns the actions that a client needs on the lock documents. A strategy that deletes them adds {@code remove}.
     */
    default List<String> actionsOnLocks() {
        return List.of("find", "insert", "update", "changeStream");
    }

    /** Returns the actions that a client needs on the other collections of the strategy. */
    default List<String> actionsElsewhere() {
        return List.of("find", "insert", "update");
    }

    /**
     * OP-15. On a server with access control every operation works with the documented privileges, and those permit
     * nothing else.
     */
    @Test
    @ContractRule("OP-15")
    default void aLockNeedsFewRights() throws Exception {
        String collection = freshCollection();
        try (LimitedLocks limited = newLimitedLocks(collection, actions(collection))) {
            new FullLifecycle(limited.locks(), server(), hasWaitingLists()).live(limited::isWaiting);

            assertThat(stored(collection).exists()).isTrue();
            assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> limited.drop(collection));
        }
    }

    private Map<String, List<String>> actions(String base) {
        Map<String, List<String>> actions = new TreeMap<>();
        for (LockCollection collection : strategy().schema().collections()) {
            boolean holdsLocks = collection.name().equals(LockSchema.LOCKS);
            actions.put(
                    strategy().schema().resolve(collection.name(), base),
                    new ArrayList<>(holdsLocks ? actionsOnLocks() : actionsElsewhere()));
        }
        return actions;
    }
}
