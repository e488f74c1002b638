package org.mongolocks.internal.reentrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.reentrant.ReentrantAcquisition.Outcome.ENTERED;
import static org.mongolocks.internal.reentrant.ReentrantAcquisition.Outcome.TO_BE_ACQUIRED;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.hold.HoldingLab;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.spi.Step;

class ReentryWaitTest {
    private static final LockRequest ONCE = LockRequest.of("a", HoldingLab.TTL).fixedLease();
    private static final LockRequest PATIENT = ONCE.waitAtMost(Duration.ofSeconds(5));

    private final HoldingLab lab = new HoldingLab();
    private final ReentrantHolds reentries = new ReentrantHolds(lab.settings(), lab.holds());

    @Test
    void waiterThatAcquiresTheLockIsEntered() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        ReentrantAcquisition second = reentries.acquisition("me", PATIENT);
        CompensatedProgram<ReentrantAcquisition.Outcome> waiting = second;
        Step.Pause<ReentrantAcquisition.Outcome> pause = (Step.Pause<ReentrantAcquisition.Outcome>) waiting.start();
        first.end();
        assertThat(pause.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        waiting.close();

        second.acquired(lab.hold("a", false));

        assertThat(reentries.count("me", LockName.of("a"))).isEqualTo(1);
        assertThat(lab.lab.result(reentries.acquisition("me", ONCE).start())).isEqualTo(ENTERED);
    }

    @Test
    void closedWaiterAcquiresNothing() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        ReentrantAcquisition second = reentries.acquisition("me", PATIENT);
        Step.Pause<ReentrantAcquisition.Outcome> pause = (Step.Pause<ReentrantAcquisition.Outcome>) second.start();
        second.end();
        first.end();

        assertThat(pause.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        assertThat(reentries.size()).isZero();
    }
}
