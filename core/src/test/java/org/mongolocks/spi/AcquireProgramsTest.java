package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;

class AcquireProgramsTest {
    private static final AcquireContext ASKING = new AcquireContext(
            LockName.of("a"),
            new Owner("me", new UUID(0, 1)),
            Duration.ofSeconds(10),
            0,
            Optional.empty(),
            LastKnownState.FREE,
            HolderInfo.none());
    private static final BsonDocument THEIRS = BsonDocument.parse(
            "{_id: 'a', format: 'f/1', owner: 'other', expiresAt: {$date: 11000}, leaseMs: {$numberLong: '10000'}}");

    private final AcquirePrograms programs = new AcquirePrograms("f", LeaseDocument.withFormat("f/1"));
    private final Step.Call<LockOutcome> attempt = (Step.Call<LockOutcome>) programs.insertOrTakeOver(ASKING, () -> {
        throw new AssertionError("A lock that was seen is not created");
    });

    @Test
    void whoIsToldThatAnotherHasTheLockIsToldWhenItsLeaseEnds() {
        assertThat(holder(answered(THEIRS, 4000)).remaining()).contains(Duration.ofSeconds(7));
    }

    @Test
    void aRepeatedCommandIsAnsweredWithoutTheServersTimeAndMeansTheSame() {
        LockSnapshot holder = holder(THEIRS);

        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.remaining()).isEmpty();
        assertThat(holder.expiresAt()).contains(Instant.ofEpochMilli(11000));
    }

    @Test
    void everyFieldIsAskedForThatIsRead() {
        assertThat(LeaseDocument.withFormat("f/1").withRevision("version").projection())
                .containsKeys("format", "owner", "holder", "fence", "acquiredAt", "expiresAt", "leaseMs", "version");
    }

    /** Evaluates the projection of the command, as a server does. */
    private BsonDocument answered(BsonDocument stored, long nowMillis) {
        BsonDocument projection =
                ((MongoOp.FindOneAndUpdate) attempt.op()).projection().orElseGet(BsonDocument::new);
        BsonDocument answer = stored.clone();
        projection.forEach((field, asked) -> {
            if (asked.equals(Expressions.NOW)) {
                answer.append(field, new BsonDateTime(nowMillis));
            }
        });
        return answer;
    }

    private LockSnapshot holder(BsonDocument reply) {
        Step<LockOutcome> end = attempt.then().apply(Reply.Found.of(reply));
        return ((LockOutcome.Contended) ((Step.Done<LockOutcome>) end).result()).holder();
    }
}
