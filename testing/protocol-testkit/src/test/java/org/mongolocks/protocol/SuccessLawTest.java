package org.mongolocks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.spi.LockSchema.LOCKS;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.lease.LeaseDocument;

class SuccessLawTest {
    private static final Reply AMBIGUOUS = failed(Fault.AMBIGUOUS);

    @Test
    void releaseSucceedsIfItMatched() {
        assertThat(PathLaws.successIsConfirmed(ended(true, counted(1)))).isTrue();
        assertThat(PathLaws.successIsConfirmed(ended(true, counted(0)))).isFalse();
    }

    @Test
    void releaseWithLostReplyHasNotSucceeded() {
        assertThat(PathLaws.successIsConfirmed(ended(true, AMBIGUOUS))).isFalse();
        assertThat(PathLaws.successIsConfirmed(ended(true, counted(1), AMBIGUOUS)))
                .isFalse();
        assertThat(PathLaws.successIsConfirmed(ended(true, AMBIGUOUS, counted(1))))
                .isTrue();
    }

    @Test
    void negativeResultNeedsNoMatch() {
        assertThat(PathLaws.successIsConfirmed(ended(false, counted(0)))).isTrue();
        assertThat(PathLaws.successIsConfirmed(ended(new Renewal.Lost(LossReason.EXPIRED), Replies.none())))
                .isTrue();
    }

    @Test
    void renewalNeedsMatch() {
        assertThat(PathLaws.successIsConfirmed(ended(new Renewal.Renewed(), Replies.none())))
                .isFalse();
    }

    @Test
    void eachOfSeveralRenewalsNeedsMatch() {
        assertThat(PathLaws.successIsConfirmed(renewedAll(counted(2)))).isTrue();
        assertThat(PathLaws.successIsConfirmed(renewedAll(counted(1)))).isFalse();
    }

    @Test
    void reasonOfLossMayStayUnknown() {
        Renewal lost = new Renewal.Lost(LossReason.TAKEN_OVER);

        assertThat(PathLaws.faultEndsTheProgramOrIsAnswered(ended(lost, Replies.none(), AMBIGUOUS)))
                .isTrue();
        assertThat(PathLaws.faultEndsTheProgramOrIsAnswered(ended(lost, AMBIGUOUS)))
                .isFalse();
    }

    private static ProgramTrace renewedAll(Reply reply) {
        UpdateSpec change = LeaseDocument.withFormat("stub/1").updates().released();
        Update update = new Update(LeaseDocument.named(ProtocolFixture.NAME), change);
        MongoOp op = new MongoOp.BulkUpdate("stub/renew-all", LOCKS, List.of(update, update));
        return new ProgramTrace(List.of(new RequestReply(op, reply)), Step.done(true));
    }

    private static ProgramTrace ended(Object result, Reply... replies) {
        MongoOp op = new MongoOp.DeleteOne("stub/delete", LOCKS, LeaseDocument.named(ProtocolFixture.NAME));
        List<RequestReply> exchanges =
                Arrays.stream(replies).map(reply -> new RequestReply(op, reply)).toList();
        return new ProgramTrace(exchanges, Step.done(result));
    }
}
