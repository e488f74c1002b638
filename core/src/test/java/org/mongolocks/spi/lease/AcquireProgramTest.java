package org.mongolocks.spi.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.Expressions;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class AcquireProgramTest {
    private static final AcquireContext CONTEXT = AcquireContext.of(
                    LockName.of("a"), new Owner("me", new UUID(0, 1)), Duration.ofSeconds(10), 0)
            .lastSeen(LastKnownState.BECAME_FREE);
    private static final BsonDocument HELD_BY_OTHER = BsonDocument.parse(
            "{_id: 'a', format: 'f/1', owner: 'other', renewedAt: {$date: 1000}, leaseMs: {$numberLong: '10000'}}");

    /** A strategy that never creates the document, because the client has seen the lock. */
    private final LeaseDocumentStrategy strategy = new LeaseDocumentStrategy("f", LeaseDocument.withFormat("f/1")) {
        @Override
        public Set<Trait> traits() {
            return Set.of();
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            return acquireBy(context, () -> {
                throw new AssertionError("A lock that was seen is not created");
            });
        }
    };

    private final Step.Call<LockOutcome> attempt = (Step.Call<LockOutcome>) strategy.acquire(CONTEXT);

    @Test
    void contendedReplyShowsRemainingTime() {
        assertThat(holder(reply(HELD_BY_OTHER, 4000)).remaining()).contains(Duration.ofSeconds(7));
    }

    @Test
    void replyWithoutServerTimeShowsHolderToo() {
        LockSnapshot holder = holder(HELD_BY_OTHER);

        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.remaining()).isEmpty();
        assertThat(holder.expiresAt()).contains(Instant.ofEpochMilli(11000));
    }

    @Test
    void formatMustBeginWithTheName() {
        LeaseDocument document = LeaseDocument.withFormat("other/1");

        assertThatThrownBy(() -> new LeaseDocumentStrategy("f", document) {
                    @Override
                    public Set<Trait> traits() {
                        return Set.of();
                    }

                    @Override
                    public Step<LockOutcome> acquire(AcquireContext context) {
                        throw new AssertionError("not run");
                    }
                })
                .hasMessage("format must begin with 'f/', was 'other/1'");
    }

    @Test
    void projectionHasEveryFieldThatIsRead() {
        assertThat(LeaseDocument.withFormat("f/1")
                        .withTokensFromRevision("version")
                        .projection())
                .containsKeys("format", "owner", "holder", "fence", "acquiredAt", "renewedAt", "leaseMs", "version");
    }

    /** Evaluates the projection of the command, as a server does. */
    private BsonDocument reply(BsonDocument stored, long nowMillis) {
        BsonDocument projection =
                ((MongoOp.FindOneAndUpdate) attempt.op()).projection().orElseGet(BsonDocument::new);
        BsonDocument reply = stored.clone();
        projection.forEach((field, value) -> {
            if (value.equals(Expressions.NOW)) {
                reply.append(field, new BsonDateTime(nowMillis));
            }
        });
        return reply;
    }

    private LockSnapshot holder(BsonDocument reply) {
        Step<LockOutcome> end = attempt.then().apply(Reply.Found.of(reply));
        return ((LockOutcome.Contended) ((Step.Done<LockOutcome>) end).result()).lock();
    }
}
