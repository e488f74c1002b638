package org.mongolocks.contract;

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

/** OP, in part: what another strategy or version has stored is refused and left alone. */
public interface FormatRules extends OperatorSetting {
    /** A lock that everybody might take, were it his: nobody holds it any more. */
    String FREE = "{format: 'foreign/1', fence: 7, rev: 3, version: 3, locked: false}";
    /** A lock that somebody holds, of a time before there were marks. */
    String UNMARKED = "{owner: 'x/00000000-0000-0000-0000-000000000001', fence: 7, rev: 3, version: 3, locked: true}";
    /** Something else altogether. */
    String NO_LOCK = "{n: 1}";

    /**
     * OP-1. A document that is not marked as the strategy's own is refused with an error that names both marks, free or
     * held, and is left as it is: who took it for contention would wait for ever, who took it for a lock would break it.
     *
     * @param fields what is stored
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest
    @ValueSource(strings = {FREE, UNMARKED, NO_LOCK})
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
     * OP-2. A client is not built on a collection that has documents of another strategy: the mistake shows when a
     * service starts, not when two of them meet at a lock.
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
     * OP-3. A lock document that was replaced by a foreign one cannot be renewed, released or forced free: its holder has
     * lost it, and the other's document stays as it is.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-3")
    default void aLockWhoseDocumentBecameForeignIsLost() throws Exception {
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
     * OP-4. A list names foreign documents and shows the others: one document that is none of ours does not keep an
     * operator from seeing the locks.
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
