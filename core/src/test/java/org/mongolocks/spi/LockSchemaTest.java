package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockSchema.LockCollection;

class LockSchemaTest {
    @Test
    void collectionsBesideTheLocksHaveItsNameAsAPrefix() {
        LockSchema schema = new LockSchema(List.of(
                new LockCollection(LockSchema.LOCKS, Optional.empty()),
                new LockCollection("fences", Optional.empty())));

        assertThat(schema.resolve(LockSchema.LOCKS, "mine")).isEqualTo("mine");
        assertThat(schema.resolve("fences", "mine")).isEqualTo("mine.fences");
    }

    @Test
    void anUnknownCollectionIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockSchema.locksOnly().resolve("fences", "mine"))
                .withMessageContaining("fences");
    }
}
