package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.LockSchema.LockCollection;

class LockSchemaTest {
    @Test
    void everySchemaHasTheQueueCollection() {
        assertThat(LockSchema.locksOnly().resolve(LockSchema.QUEUE, "mine")).isEqualTo("mine.queue");
    }

    @Test
    void anUnknownCollectionIsRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockSchema.locksOnly().resolve("fences", "mine"))
                .withMessageContaining("fences");
    }

    @Test
    void aStrategyHasNoQueueOfItsOwn() {
        LockCollection queue = new LockCollection("queue", Optional.empty());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockSchema(List.of(queue)))
                .withMessageContaining("belongs to the engine");
    }
}
