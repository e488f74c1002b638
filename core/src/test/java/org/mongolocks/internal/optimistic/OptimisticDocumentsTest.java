package org.mongolocks.internal.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoNamespace;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class OptimisticDocumentsTest {
    private static final int ATTEMPTS = 100;

    @Test
    void waitsAreRandomAndBounded() {
        Step<UpdateOutcome> step = OptimisticDocuments.of(
                        new MongoNamespace("app", "accounts"),
                        BsonDocument.class,
                        MongoClientSettings.getDefaultCodecRegistry())
                .withAttempts(ATTEMPTS)
                .withWaits(Duration.ofMillis(5), Duration.ofMillis(40))
                .withRandomness(new Random(7), UUID::randomUUID)
                .program(7, account -> account.append("balance", new BsonInt32(105)));

        for (int tries = 1; tries < ATTEMPTS; tries++) {
            Step.Pause<UpdateOutcome> pause = (Step.Pause<UpdateOutcome>) lost(step);
            long bound = Math.min(40, 5L << Math.min(tries - 1, 10));
            assertThat(pause.delay()).isBetween(Duration.ofNanos(1), Duration.ofMillis(bound));
            step = pause.then().get();
        }

        assertThat(lost(step)).isEqualTo(Step.done(new UpdateOutcome.Conflicted(ATTEMPTS, 0)));
    }

    /** Answers the read, and lets another writer win the race. */
    private static Step<UpdateOutcome> lost(Step<UpdateOutcome> read) {
        Step.Call<UpdateOutcome> write = (Step.Call<UpdateOutcome>) ((Step.Call<UpdateOutcome>) read)
                .then()
                .apply(new Reply.Found(Optional.of(new BsonDocument("_id", new BsonInt32(7)))));
        assertThat(write.op()).isInstanceOf(MongoOp.FindOneAndUpdate.class);
        return write.then().apply(new Reply.Found(Optional.empty()));
    }
}
