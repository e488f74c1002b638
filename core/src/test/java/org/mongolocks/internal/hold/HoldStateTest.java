package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.hold.HoldState.Earlier.MAY_BE_EXECUTED;
import static org.mongolocks.internal.hold.HoldState.Earlier.NONE;
import static org.mongolocks.internal.hold.HoldState.Earlier.UNANSWERED;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.HoldState.Held;
import org.mongolocks.internal.hold.HoldState.LateRelease;
import org.mongolocks.internal.hold.HoldState.Lost;
import org.mongolocks.internal.hold.HoldState.Released;
import org.mongolocks.internal.hold.HoldState.Releasing;
import org.mongolocks.internal.hold.HoldState.Unanswered;

class HoldStateTest {
    private final Optional<CompletableFuture<Void>> repetition = Optional.of(new CompletableFuture<>());

    @Test
    void aReleaseThatIsAnsweredEndsTheLockOrShowsItsLoss() {
        HoldState releasing = Held.RENEWED.begin(false, Optional.empty());

        assertThat(releasing).isEqualTo(new Releasing(NONE, Optional.empty(), Optional.empty()));
        assertThat(releasing.answered(true, LossReason.FORCED)).isEqualTo(new Released(false));
        assertThat(releasing.answered(false, LossReason.FORCED))
                .isEqualTo(new Lost(LossReason.FORCED, LateRelease.ANSWERED));
    }

    @Test
    void theOutcomeOfEarlierReleasesIsRemembered() {
        HoldState failed = Held.RENEWED.begin(false, Optional.empty()).failed(MAY_BE_EXECUTED, false);
        HoldState again = failed.begin(false, repetition);

        assertThat(again).isEqualTo(new Releasing(MAY_BE_EXECUTED, Optional.empty(), repetition));
        assertThat(again.failed(UNANSWERED, false)).isEqualTo(new Unanswered(MAY_BE_EXECUTED, Optional.empty()));
        assertThat(again.answered(true, LossReason.FORCED)).isEqualTo(new Released(true));
    }

    @Test
    void theEndOfTheLeaseIsALossOnlyIfItCameBeforeTheRelease() {
        HoldState before = Held.RENEWING.begin(true, Optional.empty());
        HoldState after = Held.RENEWING.begin(false, Optional.empty());

        assertThat(before.failed(NONE, true)).isEqualTo(new Lost(LossReason.RENEWAL_FAILED, LateRelease.FAILED));
        assertThat(after.failed(NONE, true)).isEqualTo(new Unanswered(NONE, Optional.empty()));
        assertThat(before.answered(true, LossReason.FORCED)).isEqualTo(new Released(false));
        assertThat(before.answered(false, LossReason.EXPIRED))
                .isEqualTo(new Lost(LossReason.RENEWAL_FAILED, LateRelease.ANSWERED));
    }

    @Test
    void aLossStaysWhateverItsReleaseShows() {
        HoldState lost = new Lost(LossReason.TAKEN_OVER, LateRelease.NONE).begin(true, Optional.empty());

        assertThat(lost.begin(true, Optional.empty())).isSameAs(lost);
        assertThat(lost.failed(UNANSWERED, true).begin(true, Optional.empty())).isEqualTo(lost);
        HoldState end = lost.answered(true, LossReason.FORCED);
        assertThat(end).isEqualTo(new Lost(LossReason.TAKEN_OVER, LateRelease.ANSWERED));
        assertThat(end.begin(true, Optional.empty())).isSameAs(end);
        assertThat(end.failed(NONE, true)).isSameAs(end);
    }

    @Test
    void aReleasedLockStaysReleased() {
        HoldState released = new Released(true);

        assertThat(released.begin(true, Optional.empty())).isSameAs(released);
        assertThat(released.failed(NONE, true)).isSameAs(released);
        assertThat(released.answered(false, LossReason.FORCED)).isSameAs(released);
    }
}
