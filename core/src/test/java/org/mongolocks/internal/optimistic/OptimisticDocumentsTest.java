package org.mongolocks.internal.optimistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.mongolocks.UpdateConflictException;

class OptimisticDocumentsTest {
    private static final int ATTEMPTS = 100;

    @Test
    void waitsAreRandomAndBounded() {
        OptimisticDocuments<BsonDocument>.Update update = OptimisticDocuments.of(
                        new MongoNamespace("app", "accounts"),
                        BsonDocument.class,
                        MongoClientSettings.getDefaultCodecRegistry())
                .withAttempts(ATTEMPTS)
                .withWaits(Duration.ofMillis(5), Duration.ofMillis(40))
                .withRandomness(new Random(7), UUID::randomUUID)
                .update(7, account -> account.append("balance", new BsonInt32(105)));

        for (int tries = 1; tries < ATTEMPTS; tries++) {
            lose(update);
            long bound = Math.min(40, 5L << Math.min(tries - 1, 10));
            assertThat(update.pause().orElseThrow()).isBetween(Duration.ofNanos(1), Duration.ofMillis(bound));
        }

        assertThatExceptionOfType(UpdateConflictException.class)
                .isThrownBy(() -> lose(update))
                .returns(ATTEMPTS, UpdateConflictException::attempts);
    }

    /** Answers the read, and lets another writer win the race. */
    private static void lose(OptimisticDocuments<BsonDocument>.Update update) {
        update.answered(Optional.of(new BsonDocument("_id", new BsonInt32(7))));
        assertThat(update.operators()).isPresent();
        update.answered(Optional.empty());
    }
}
