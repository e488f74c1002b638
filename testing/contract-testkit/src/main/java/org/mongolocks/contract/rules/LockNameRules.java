package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/** Rules NM, names: a lock name is data, whatever its characters. */
public interface LockNameRules extends ContractContext {
    /**
     * NM-1. A name is data: a dollar sign, a dot or a quote in it has no meaning to MongoDB.
     *
     * @param start the beginning of the name
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$",
                "$$NOW",
                "$owner",
                "$where: 1",
                "a.b.",
                "{$gt: ''}",
                "\\",
                "'",
                " ",
                "\n",
                "\uD83D\uDD12",
                "\u00e9",
                "\u202e"
            })
    @ContractRule("NM-1")
    default void anyTextIsAName(String start) throws Exception {
        LockName name = LockName.of(start + freshName());
        BlockingLocks locks = newLocks();

        BlockingLock held = acquire(locks, name);

        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(locks.inspect(name).orElseThrow().name()).isEqualTo(name);
        assertThat(held.renew()).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /** NM-2. The longest permitted name works, and its last byte is significant. */
    @Test
    @ContractRule("NM-2")
    default void theLongestNameIsAName() throws Exception {
        String tail = freshName().value();
        LockName longest = LockName.of("\u00e9".repeat((LockName.MAX_BYTES - tail.length()) / 2) + tail);
        LockName other =
                LockName.of(longest.value().substring(0, longest.value().length() - 1) + "x");
        BlockingLocks locks = newLocks();

        BlockingLock held = acquire(locks, longest);

        assertThat(newLocks().tryAcquire(longest, ttl())).isEmpty();
        assertThat(locks.tryAcquire(other, ttl())).isPresent();
        assertThat(held.release()).isTrue();
    }

    /** NM-3. Names are compared byte for byte: names that differ in case or Unicode form are different locks. */
    @Test
    @ContractRule("NM-3")
    default void similarNamesAreDifferentLocks() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        acquire(locks, LockName.of("e\u0301" + name));

        assertThat(locks.tryAcquire(LockName.of("\u00e9" + name), ttl())).isPresent();
        assertThat(locks.tryAcquire(LockName.of("E\u0301" + name), ttl())).isPresent();
    }
}
