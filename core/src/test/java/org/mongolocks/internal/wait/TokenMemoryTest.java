package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Owner;
import org.mongolocks.TokenWentBackException;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class TokenMemoryTest {
    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy().fenced().releases(Step.done(true));
    private final WaiterQueues queues = Lab.queues(lab.settings(strategy), ChangeFeed.none());

    @ParameterizedTest
    @ValueSource(longs = {1, 7})
    void aTokenThatIsNotLargerThanThatOfAnEarlierGrantIsNotGranted(long later) {
        strategy.grants(7).grants(later);
        granted(1);

        assertThatExceptionOfType(TokenWentBackException.class)
                .isThrownBy(() -> granted(2))
                .withMessageContaining("TOKEN_WENT_BACK")
                .satisfies(wentBack -> {
                    assertThat(wentBack.granted()).isEqualTo(later);
                    assertThat(wentBack.newest()).isEqualTo(7);
                });

        assertThat(lab.wentBack).containsExactly(7L);
        assertThat(strategy.calls)
                .containsExactly(
                        "acquire", "acquire", "release a 00000000-0000-0000-0000-000000000002 OptionalLong.empty");
    }

    @Test
    void grantWithAnOlderTokenIsReleasedOnce() {
        strategy.grants(7).grants(3);
        granted(1);
        GrantAcquisition acquisition = acquisition(2);

        assertThatExceptionOfType(TokenWentBackException.class).isThrownBy(() -> lab.run(acquisition.start()));

        assertThat(acquisition.needsCompensation()).isFalse();
        assertThat(acquisition.pendingCompensation()).isEmpty();
    }

    @Test
    void failedReleaseOfAnOlderTokenIsPending() {
        strategy.grants(7).grants(3).releases(FakeStrategy.fails(Fault.REJECTED));
        granted(1);
        lab.run(strategy.release(Lab.NAME, Lab.OWNER, OptionalLong.empty()));
        GrantAcquisition acquisition = acquisition(2);

        assertThatExceptionOfType(TokenWentBackException.class).isThrownBy(() -> lab.run(acquisition.start()));

        assertThat(acquisition.pendingCompensation()).isPresent();
    }

    @Test
    void largestTokenIsKept() {
        strategy.grants(7).grants(3).grants(5).grants(8);
        granted(1);
        assertThatExceptionOfType(TokenWentBackException.class).isThrownBy(() -> granted(2));
        assertThatExceptionOfType(TokenWentBackException.class).isThrownBy(() -> granted(3));

        assertThat(granted(4)).isInstanceOf(LockOutcome.Acquired.class);
    }

    @Test
    void theSameOwnerFindsItsOwnToken() {
        strategy.answers(context -> {
                    lab.time.advance(Lab.TTL);
                    return Step.done(context.acquired(7));
                })
                .grants(7);

        GrantAcquisition patient =
                GrantAcquisitions.of(lab.settings(strategy), Lab.request(Duration.ofMinutes(1)), Lab.OWNER, queues);

        assertThat(lab.result(patient.start())).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(lab.wentBack).isEmpty();
    }

    /** The grant arrived late: another owner of this client has acquired the lock since. */
    @Test
    void aGrantIsNotComparedWithOneThatIsNewerThanItsQuestion() {
        strategy.answers(context -> {
                    granted(2);
                    return Step.done(context.acquired(7));
                })
                .grants(8);

        assertThat(granted(1)).isInstanceOf(LockOutcome.Acquired.class);
    }

    @Test
    void tokensOfAnUnfencedStrategyMayDecrease() {
        FakeStrategy unfenced = new FakeStrategy().grants(1);
        WaiterQueues other = Lab.queues(lab.settings(unfenced), ChangeFeed.none());

        for (int grant = 1; grant < 4; grant++) {
            Owner owner = new Owner("lab", new UUID(0, grant));
            GrantAcquisition acquisition =
                    GrantAcquisitions.of(lab.settings(unfenced), Lab.request(Duration.ZERO), owner, other);
            assertThat(lab.result(acquisition.start())).isInstanceOf(LockOutcome.Acquired.class);
        }
    }

    private LockOutcome granted(int owner) {
        return lab.result(acquisition(owner).start());
    }

    private GrantAcquisition acquisition(int owner) {
        return GrantAcquisitions.of(
                lab.settings(strategy), Lab.request(Duration.ZERO), new Owner("lab", new UUID(0, owner)), queues);
    }
}
