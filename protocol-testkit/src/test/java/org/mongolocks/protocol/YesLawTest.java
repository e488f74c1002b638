package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Change;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateEach.Update;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class YesLawTest {
    private static final Reply AMBIGUOUS = failed(Fault.AMBIGUOUS);

    @Test
    void aReleaseThatMatchedHasWorked() {
        assertThat(Laws.yesIsConfirmed(ended(true, counted(1)))).isTrue();
        assertThat(Laws.yesIsConfirmed(ended(true, counted(0)))).isFalse();
    }

    @Test
    void aReleaseWhoseReplyWasLostHasNotWorked() {
        assertThat(Laws.yesIsConfirmed(ended(true, AMBIGUOUS))).isFalse();
        assertThat(Laws.yesIsConfirmed(ended(true, counted(1), AMBIGUOUS))).isFalse();
        assertThat(Laws.yesIsConfirmed(ended(true, AMBIGUOUS, counted(1)))).isTrue();
    }

    @Test
    void aNoNeedsNoMatch() {
        assertThat(Laws.yesIsConfirmed(ended(false, counted(0)))).isTrue();
        assertThat(Laws.yesIsConfirmed(ended(new Renewal.Lost(LossReason.EXPIRED), Replies.none())))
                .isTrue();
    }

    @Test
    void aRenewalNeedsAMatch() {
        assertThat(Laws.yesIsConfirmed(ended(new Renewal.Renewed(), Replies.none())))
                .isFalse();
    }

    @Test
    void severalRenewalsNeedAMatchEach() {
        assertThat(Laws.yesIsConfirmed(renewedAll(counted(2)))).isTrue();
        assertThat(Laws.yesIsConfirmed(renewedAll(counted(1)))).isFalse();
    }

    @Test
    void theReasonOfALossMayStayUnknown() {
        Renewal lost = new Renewal.Lost(LossReason.TAKEN_OVER);

        assertThat(Laws.faultEndsTheProgramOrIsAnswered(ended(lost, Replies.none(), AMBIGUOUS)))
                .isTrue();
        assertThat(Laws.faultEndsTheProgramOrIsAnswered(ended(lost, AMBIGUOUS))).isFalse();
    }

    private static Trace renewedAll(Reply reply) {
        Change change = LeaseDocument.marked("sketch/1").released();
        Update update = new Update(LeaseDocument.named(Scene.NAME), change);
        MongoOp op = new MongoOp.UpdateEach("sketch/renew-all", LOCKS, List.of(update, update));
        return new Trace(List.of(new Exchange(op, reply)), Step.done(true));
    }

    private static Trace ended(Object result, Reply... replies) {
        MongoOp op = new MongoOp.DeleteOne("sketch/delete", LOCKS, LeaseDocument.named(Scene.NAME));
        List<Exchange> exchanges =
                Arrays.stream(replies).map(reply -> new Exchange(op, reply)).toList();
        return new Trace(exchanges, Step.done(result));
    }
}
