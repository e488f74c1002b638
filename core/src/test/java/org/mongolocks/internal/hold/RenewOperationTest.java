package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mongolocks.internal.FakeStrategy.fails;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class RenewOperationTest {
    private static final Step<Renewal> RENEWED = Step.done(new Renewal.Renewed());

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();
    private final Lease lease = lab.lease();
    private final Hold hold = new Hold(lease, lab.time, Runnable::run);

    @Test
    void theNewEndIsCountedFromBeforeTheSend() {
        lab.time.advance(Duration.ofSeconds(4));
        long before = lab.time.nanoTime();

        assertThat(lab.result(renewing(RENEWED))).isTrue();

        assertThat(hold.lease().validUntilNanos()).isEqualTo(before + Lab.TTL.toNanos());
    }

    @Test
    void afterALostReplyTheEndIsCountedFromTheSecondSend() {
        strategy.renews(fails(Fault.AMBIGUOUS));
        long before = lab.time.nanoTime();

        assertThat(lab.result(renewing(RENEWED))).isTrue();

        assertThat(hold.lease().validUntilNanos()).isEqualTo(before + Lab.RETRY.toNanos() + Lab.TTL.toNanos());
    }

    @Test
    void eachAttemptHasItsOwnEndOfTheLease() {
        strategy.renews(fails(Fault.AMBIGUOUS));
        lab.time.advance(Duration.ofSeconds(4));
        long before = lab.time.nanoTime() + Lab.TTL.toNanos();

        lab.result(renewing(RENEWED));

        assertThat(strategy.renewed)
                .extracting(Lease::validUntilNanos)
                .containsExactly(before, before + Lab.RETRY.toNanos());
    }

    @Test
    void aRenewalForALongerTimeKeepsTheTtlOfLaterRenewals() {
        long before = lab.time.nanoTime();
        Duration longer = Lab.TTL.multipliedBy(3);
        strategy.renews(RENEWED);

        lab.result(new RenewOperation(lab.settings(strategy), hold, longer).start());

        Lease renewed = hold.lease();
        assertThat(renewed.validUntilNanos()).isEqualTo(before + longer.toNanos());
        assertThat(renewed.ttl()).isEqualTo(Lab.TTL);
        assertThat(strategy.renewed).extracting(Lease::ttl).containsExactly(longer);
    }

    @Test
    void afterALongerRenewalTheStrategyGetsTheStartOfEachLease() {
        hold.markRenewed(lab.time.nanoTime() + Lab.TTL.multipliedBy(3).toNanos());
        strategy.renews(RENEWED);
        lab.time.advance(Duration.ofSeconds(1));

        lab.result(new RenewOperation(lab.settings(strategy), hold, Lab.TTL).start());

        assertThat(strategy.renewed)
                .extracting(Lease::validUntilNanos)
                .containsExactly(lab.time.nanoTime() + Lab.TTL.toNanos());
    }

    @Test
    void theTtlOfARenewalHasTheBoundsOfARequest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RenewOperation.requireTtl(lab.settings(strategy), lease, Duration.ofMillis(99)));
        assertThat(RenewOperation.requireTtl(lab.settings(strategy), lease, Duration.ofMillis(100)))
                .isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aLeaseThatHasEndedIsNotBroughtBack() {
        lab.time.advance(Lab.TTL);

        assertThat(lab.result(renewing(RENEWED))).isFalse();
        assertThat(hold.loss()).contains(LossReason.EXPIRED);
        assertThat(strategy.calls).isEmpty();
    }

    @Test
    void withinATimeTheRetriesOfTheClientApply() {
        strategy.renews(fails(Fault.AMBIGUOUS));

        lab.run(new RenewOperation(lab.settings(strategy), hold, Lab.TTL)
                .within(Lab.TTL)
                .start());

        assertThat(strategy.calls).hasSize(Lab.MAX_ATTEMPTS);
    }

    private Step<Boolean> renewing(Step<Renewal> last) {
        strategy.renews(last);
        return new RenewOperation(lab.settings(strategy), hold, Lab.TTL).start();
    }
}
