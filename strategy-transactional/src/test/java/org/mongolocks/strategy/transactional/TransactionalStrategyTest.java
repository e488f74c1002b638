package org.mongolocks.strategy.transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.StrategyTest;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

class TransactionalStrategyTest extends StrategyTest {
    private static final LockSchema.TtlIndex UNUSED = new LockSchema.TtlIndex("renewedAt", Duration.ofDays(2));

    @Override
    protected LockStrategy strategy() {
        return new TransactionalStrategy();
    }

    @Override
    protected BsonDocument documentElsewhere(BsonDocument filter) {
        return new BsonDocument("_id", new BsonString(ProtocolFixture.NAME.value()))
                .append("format", new BsonString("transactional/3"))
                .append("n", new BsonInt64(count()));
    }

    long count() {
        return TOKEN + 1;
    }

    @Test
    void traitsAndSchemaAreAsDocumented() {
        assertThat(strategy().traits())
                .containsExactlyInAnyOrder(
                        Trait.SERVER_CLOCK, Trait.STRICT_FENCING, Trait.NEEDS_TRANSACTIONS, Trait.MULTI_LOCK);
        assertThat(strategy().schema())
                .isEqualTo(new LockSchema(List.of(
                        new LockSchema.LockCollection("locks", Optional.of(UNUSED)),
                        new LockSchema.LockCollection("fences", Optional.of(UNUSED)))));
    }
}
