package org.mongolocks.contract.rules.operate;

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
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.contract.setup.RawCollection;
import org.mongolocks.spi.LockSchema.LockCollection;

/** Rules OP on the schema: collections and indexes are created, validated or left alone, as configured. */
public interface SchemaRules extends FeatureContext {
    /**
     * OP-13. With schema mode VALIDATE a client creates nothing, and its error names what is missing with the commands
     * that create it.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-13")
    default void missingSchemaIsReportedAndNotCreated() throws Exception {
        String collection = freshCollection();

        assertThatExceptionOfType(LockSchemaException.class)
                .isThrownBy(
                        () -> newLocks(builder -> builder.collection(collection).schema(SchemaMode.VALIDATE)))
                .satisfies(reported -> {
                    assertThat(reported.problems())
                            .hasSize(wanted())
                            .first()
                            .asString()
                            .contains(collection);
                    assertThat(reported.commands())
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
     * OP-14. With schema mode NONE a client creates nothing when it is built, and locks work.
     *
     * @throws Exception if the rule cannot be checked
     */
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
     * refuses them because of other locks: the error names the collection, the index and the command that drops it.
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
                        stored -> stored.index("renewedAt", index.getValue()),
                        index.getKey(),
                        "dropIndex(\"of-others\")");
            }
        }
    }

    /**
     * OP-17. In every schema mode, building a client fails if any of its collections treats different names as equal,
     * deletes or refuses documents by itself, or is not a collection: the error names the collection, the cause and the
     * commands that correct it.
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

    /** Gives one collection of the strategy a harmful option, and checks that a client refuses it in each mode. */
    private void assertRefused(String collection, Consumer<RawCollection> oddity, String... reported)
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
}
