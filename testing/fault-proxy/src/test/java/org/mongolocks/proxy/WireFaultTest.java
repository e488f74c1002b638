package org.mongolocks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoWriteConcernException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class WireFaultTest extends ProxyScene {
    @Test
    void aLostRequestIsNotExecuted() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.loseRequest());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        assertThat(count()).isZero();
    }

    @Test
    void requestWithALostReplyIsExecuted() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.loseReply());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void retryableWriteWithALostReplyRunsOnce() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.loseReply());

        insert(retrying);

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aResetIsSeenWhileTheRequestIsExecuted() throws InterruptedException {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.reset());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aReplyIsHeldUntilItIsReleased() throws Exception {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.holdReply(WireFault.none()));
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));
        trap.awaitExecuted();

        assertThat(count()).isEqualTo(1);
        assertThat(inserting).isNotDone();
        trap.release();

        inserting.get();
    }

    @Test
    void aRequestIsHeldUntilItIsReleased() throws Exception {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.holdRequest());
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));
        trap.awaitCaught();

        assertThat(count()).isZero();
        trap.release();

        inserting.get();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aRequestIsExecutedLateThoughItsSenderHasGone() throws InterruptedException {
        // The time limit is for the wait, not for the connection and what the first insert loads.
        insert(plain);
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.holdRequest());
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(
                () -> collection(plain).withTimeout(1, TimeUnit.SECONDS).insertOne(new Document()));
        assertThatThrownBy(inserting::join).isInstanceOf(CompletionException.class);
        plain.close();
        assertThat(count()).isEqualTo(1);

        trap.release();

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(2);
        assertThat(trap.replies())
                .singleElement()
                .satisfies(reply -> assertThat(reply.getNumber("n").intValue()).isEqualTo(1));
    }

    @Test
    void aDelayedRequestComesAfterItsRepetition() throws InterruptedException {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.delay());

        insert(retrying);
        trap.release();

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aRefusalIsNotExecutedAndAFailureAfterwardsIs() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.refuse(10107));
        assertThatExceptionOfType(MongoNotPrimaryException.class).isThrownBy(() -> insert(plain));
        assertThat(count()).isZero();

        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.failAfterwards(189));
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void driverRetriesRetryableErrors() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.refuse(10107));
        insert(retrying);
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.failWriteConcern(91));
        insert(retrying);

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void aFailedWriteConcernComesWithTheRealReply() {
        proxy.arm(CommandMatcher.atNext(INSERT), WireFault.failWriteConcern(64));

        assertThatExceptionOfType(MongoWriteConcernException.class)
                .isThrownBy(() -> insert(retrying))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(64))
                .satisfies(e -> assertThat(e.getWriteResult().wasAcknowledged()).isTrue());

        assertThat(count()).isEqualTo(1);
    }
}
