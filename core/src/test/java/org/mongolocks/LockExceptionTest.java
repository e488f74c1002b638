package org.mongolocks;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class LockExceptionTest {
    private static final LockName NAME = LockName.of("invoice-42");
    private static final Duration WAIT = Duration.ofSeconds(90);
    private static final LockStrategy STRATEGY = new DescribedStrategy("demo", Set.of(), LockSchema.locksOnly());
    private static final HolderInfo BATCH =
            HolderInfo.ofStored(BsonDocument.parse("{host: 'batch-7', pid: 4711, thread: 'main'}"));

    private final LockTask task = LockTask.of("Acquiring", NAME, new Lab().settings(STRATEGY));

    @Test
    void contentionNamesTheHolder() {
        LockContendedException contended =
                new LockContendedException(NAME, held(BATCH, Duration.ofMillis(9_541)), false, WAIT);

        assertThat(contended)
                .hasMessage(
                        "Lock 'invoice-42' is held by batch-7 (pid 4711, thread main); its lease ends in 9.6 s unless it is renewed; waitAtMost was 1m30s");
        assertThat(contended.lockName()).contains(NAME);
        assertThat(contended.isTransient()).isTrue();
        assertThat(contended.holder())
                .hasValueSatisfying(seen -> assertThat(seen.holderInfo()).isEqualTo(BATCH));
    }

    @Test
    @Tag("finds:closed-is-no-lock-exception")
    void aClosedClientIsALockExceptionThatNoRetryHelps() {
        ClientClosedException closed =
                new ClientClosedException("Releasing lock 'invoice-42'", Optional.of(NAME), null);

        assertThat((LockException) closed)
                .hasMessage("Releasing lock 'invoice-42' was not sent: the MongoClient of this lock client is closed."
                        + " Close the lock client first.");
        assertThat(closed.lockName()).contains(NAME);
        assertThat(closed.isTransient()).isFalse();
        assertThat(new ClientClosedException().lockName()).isEmpty();
    }

    @Test
    void contentionShowsTheNoteOfTheHolder() {
        HolderInfo noted = BATCH.withNote(Optional.of("nightly run"));

        assertThat(new LockContendedException(NAME, held(noted, Duration.ofSeconds(1)), false, WAIT))
                .hasMessageContaining(
                        "thread main, note 'nightly run'); its lease ends in 1.0 s unless it is renewed; waitAtMost was 1m30s");
    }

    @Test
    void contentionMessageNamesTheOwnerWithoutHolderInfo() {
        assertThat(new LockContendedException(NAME, held(HolderInfo.none(), Duration.ofSeconds(1)), false, WAIT))
                .hasMessage(
                        "Lock 'invoice-42' is held by worker-1/x; its lease ends in 1.0 s unless it is renewed; waitAtMost was 1m30s");
    }

    @Test
    void contentionMessageNamesTheOwnThread() {
        assertThat(new LockContendedException(NAME, held(BATCH, Duration.ofSeconds(9)), true, WAIT))
                .hasMessage(
                        "Lock 'invoice-42' is held by this very thread; its lease ends in 9.0 s unless it is renewed;"
                                + " a thread enters it again only if both requests are of asLock(), or of reentrant(owner) with"
                                + " the same owner");
    }

    @Test
    void contentionMessageStatesThatTheHolderIsUnknown() {
        LockContendedException contended = new LockContendedException(NAME, LockSnapshot.unused(NAME), false, WAIT);

        assertThat(contended)
                .hasMessage(
                        "Lock 'invoice-42' is contended; its present holder is not known, or the reply to a grant took longer than the ttl; waitAtMost was 1m30s");
        assertThat(contended.holder()).isEmpty();
    }

    @Test
    void aFaultOfTheNetworkIsTransient() {
        LockException thrown = task.exception(new Reply.Failed(Fault.NOT_SENT, new MongoTimeoutException("no server")));

        assertThat(thrown.isTransient()).isTrue();
        assertThat(thrown.lockName()).contains(NAME);
    }

    @Test
    void aRefusalIsNotTransient() {
        assertThat(task.exception(refused(2)).isTransient()).isFalse();
    }

    @Test
    void aMissingRightIsNamedWithoutTheTextOfTheServer() {
        LockException thrown = task.exception(refused(13));

        assertThat(thrown.getMessage())
                .contains("the database user lacks a right")
                .contains("find, insert, update and remove on 'locks';")
                .doesNotContain("a long text");
        assertThat(thrown.isTransient()).isFalse();
        assertThat(thrown).hasCauseInstanceOf(MongoCommandException.class);
    }

    @Test
    void aLossNamesItsLock() {
        LockLostException lost = new LockLostException(NAME, LossReason.EXPIRED, "its ttl", null);

        assertThat(lost.lockName()).contains(NAME);
        assertThat(lost.isTransient()).isTrue();
        assertThat(lost.withEffects("nothing was written"))
                .hasMessage(
                        "Lock 'invoice-42' was lost (EXPIRED) before the guarded action ended: its ttl; nothing was written")
                .hasCause(lost);
    }

    private static LockSnapshot held(HolderInfo info, Duration left) {
        return LockSnapshot.of(NAME, Optional.of("worker-1/x"), 7, 7)
                .lease(Duration.ofSeconds(30), Optional.empty(), Optional.empty())
                .remaining(Optional.of(left))
                .holderInfo(info);
    }

    private static Reply.Failed refused(int code) {
        BsonDocument reply = new BsonDocument("ok", new BsonInt32(0))
                .append("code", new BsonInt32(code))
                .append("errmsg", new BsonString("a long text"));
        return new Reply.Failed(Fault.REJECTED, new MongoCommandException(reply, new ServerAddress()));
    }
}
