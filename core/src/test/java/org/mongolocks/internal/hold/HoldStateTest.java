package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.hold.HoldState.Earlier.NONE;
import static org.mongolocks.internal.hold.HoldState.Earlier.UNANSWERED;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.HoldState.LateRelease;
import org.mongolocks.internal.hold.HoldState.Lost;
import org.mongolocks.internal.hold.HoldState.Released;

class HoldStateTest {
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
