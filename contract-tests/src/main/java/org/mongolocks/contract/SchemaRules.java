package org.mongolocks.contract;

import static com.mongodb.client.model.CollationStrength.SECONDARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ValidationOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;

/** OP, in part: collections and indexes are created, checked or left alone, as the operator wants. */
public interface SchemaRules extends OperatorSetting {
    /**
     * OP-13. A client that is to validate the schema creates nothing, and says what is missing with the commands that
     * create it; once all is there, it is built.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-13")
    default void aMissingSchemaIsToldAndNotCreated() throws Exception {
        String collection = freshCollection();

        assertThatExceptionOfType(LockSchemaException.class)
                .isThrownBy(
                        () -> newLocks(builder -> builder.collection(collection).schema(SchemaMode.VALIDATE)))
                .satisfies(told -> {
                    assertThat(told.problems())
                            .hasSize(wanted())
                            .first()
                            .asString()
                            .contains(collection);
                    assertThat(told.commands())
                            .hasSize(wanted())
                            .first()
                            .asString()
                            .contains("createCollection");
                });
        assertThat(stored(collection).exists()).isFalse();

        newLocks(builder -> builder.collection(collection).schema(SchemaMode.CREATE));
        BlockingLocks locks = newLocks(builder -> builder.collection(collection).schema(SchemaMode.VALIDATE));
        acquire(locks, freshName());
    }

    /**
     * OP-14. A client that is to leave the schema alone creates nothing when it is built, and locks nevertheless: no lock
     * needs an index to be correct.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-14")
    default void aSchemaIsLeftAloneWhenTold() throws Exception {
        String collection = freshCollection();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection).schema(SchemaMode.NONE));
        assertThat(stored(collection).exists()).isFalse();

        acquire(locks, freshName());

        assertThat(stored(collection).indexes()).hasSize(1);
    }

    /**
     * OP-16. A client is not built, in any schema mode, where an index deletes locks or refuses them because of other
     * locks, in whichever collection of the strategy: it names the collection, the index and the command that drops it.
     *
     * @throws Exception if the rule cannot be checked
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
                        stored -> stored.index("expiresAt", index.getValue()),
                        index.getKey(),
                        "dropIndex(\"of-others\")");
            }
        }
    }

    /**
     * OP-17. A client is not built, in any schema mode, on a collection that takes names that differ for one, that
     * deletes or refuses documents by itself, or that is none, whichever collection of the strategy it is: it names the
     * collection, what was found and the commands that mend it.
     *
     * @throws Exception if the rule cannot be checked
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
                    "default collation",
                    "renameCollection");
            assertRefused(
                    collection,
                    stored -> stored.create(
                            new CreateCollectionOptions().capped(true).sizeInBytes(4096)),
                    "capped",
                    "renameCollection");
            assertRefused(
                    collection,
                    stored -> stored.create(new CreateCollectionOptions().validationOptions(owned)),
                    "validator",
                    "collMod");
            assertRefused(collection, stored -> stored.createView("nothing"), "type view", "drop()");
        }
    }

    /** Makes one collection of the strategy odd, and has a client refuse it in each mode. */
    private void assertRefused(String collection, Consumer<StoredDocuments> oddity, String... told)
            throws InterruptedException {
        String base = freshCollection();
        String odd = strategy().schema().resolve(collection, base);
        oddity.accept(stored(odd));
        for (SchemaMode mode : SchemaMode.values()) {
            assertThatExceptionOfType(LockSchemaException.class)
                    .as("%s with %s", collection, mode)
                    .isThrownBy(
                            () -> newLocks(builder -> builder.collection(base).schema(mode)))
                    .withMessageContaining("'" + odd + "'")
                    .withMessageContainingAll(told);
        }
    }

    private List<String> collections() {
        return Stream.concat(
                        strategy().schema().collections().stream().map(LockCollection::name),
                        Stream.of(LockSchema.QUEUE))
                .toList();
    }

    private int wanted() {
        return strategy().schema().collections().stream()
                .map(LockCollection::ttlField)
                .mapToInt(field -> field.isPresent() ? 2 : 1)
                .sum();
    }
}
