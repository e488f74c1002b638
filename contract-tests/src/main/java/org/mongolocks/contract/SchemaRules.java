package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
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

    private int wanted() {
        return strategy().schema().collections().stream()
                .map(LockCollection::ttlField)
                .mapToInt(field -> field.isPresent() ? 2 : 1)
                .sum();
    }
}
