package org.mongolocks.contract.rules.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockFormatException;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;

/** Rules OP on formats: documents of another strategy or version are refused and left unchanged. */
public interface FormatRules extends FeatureContext {
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
     *
     * @param fields the stored fields
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest
    @ValueSource(strings = {FREE, UNMARKED, NO_LOCK, NAME_ONLY})
    @ContractRule("OP-1")
    default void aForeignDocumentIsRefusedAndLeftAlone(String fields) throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks locks = newLocks(builder -> builder.collection(collection));
        BsonDocument foreign = stored(collection).insert(name, fields);

        assertThatExceptionOfType(LockFormatException.class)
                .isThrownBy(() -> locks.tryAcquire(name, ttl()))
                .withMessageContaining(name.value())
                .withMessageContaining(collection)
                .withMessageContaining(strategy().format().orElseThrow());
        assertThatExceptionOfType(LockFormatException.class)
                .isThrownBy(() -> locks.acquire(new LockRequest(name, ttl(), ttl())));
        assertThatExceptionOfType(LockFormatException.class).isThrownBy(() -> locks.inspect(name));
        assertThat(stored(collection).find(name)).contains(foreign);
    }

    /**
     * OP-2. A client cannot be built on a collection that has documents of another strategy.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-2")
    default void aClientIsNotBuiltOnTheCollectionOfAnother() throws Exception {
        String collection = freshCollection();
        BsonDocument foreign = stored(collection).insert(freshName(), FREE);

        assertThatExceptionOfType(LockFormatException.class)
                .isThrownBy(() -> newLocks(builder -> builder.collection(collection)))
                .withMessageContaining(collection)
                .withMessageContaining("foreign/1");
        assertThat(stored(collection).find(LockName.of(foreign.getString("_id").getValue())))
                .contains(foreign);
    }

    /**
     * OP-3. A lock document that was replaced by one of another format cannot be renewed, released or force-released:
     * its holder has lost it, and the document stays unchanged.
     *
     * @throws Exception if the rule cannot be checked
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

    /**
     * OP-4. A list names documents of other formats and still shows the locks.
     *
     * @throws Exception if the rule cannot be checked
     */
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
}
