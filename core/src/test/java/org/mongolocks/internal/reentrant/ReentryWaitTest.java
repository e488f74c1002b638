package org.mongolocks.internal.reentrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.reentrant.Visit.Entrance.ENTERED;
import static org.mongolocks.internal.reentrant.Visit.Entrance.TO_BE_ACQUIRED;

import org.mongolocks.internal.hold.HoldingLab;
import org.mongolocks.internal.run.Undertaking;
import org.mongolocks.internal.wait.ChangeFeed;
import org.mongolocks.internal.wait.WaitingRoom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.Step;

class ReentryWaitTest {
    private static final LockRequest ONCE = LockRequest.of("a", HoldingLab.TTL);
    private static final LockRequest PATIENT = ONCE.waitAtMost(Duration.ofSeconds(5));

    private final HoldingLab lab = new HoldingLab();
    private final Reentries reentries =
            new Reentries(lab.settings(), lab.holds(), new WaitingRoom(lab.settings(), ChangeFeed.none()));

    @Test
    void whoHasWaitedForAnotherAndAcquiresItIsEnteredToo() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Visit second = reentries.visit("me", PATIENT);
        Undertaking<Visit.Entrance> waiting = second.waiting();
        Step.Pause<Visit.Entrance> pause = (Step.Pause<Visit.Entrance>) waiting.start();
        first.end();
        assertThat(pause.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        waiting.end();

        second.acquired(lab.hold("a", false));

        assertThat(reentries.count("me", LockName.of("a"))).isEqualTo(1);
        assertThat(lab.lab.result(reentries.visit("me", ONCE).start())).isEqualTo(ENTERED);
    }

    @Test
    void whoEndsWhileItWaitsAsksForNothing() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Visit second = reentries.visit("me", PATIENT);
        Step.Pause<Visit.Entrance> pause = (Step.Pause<Visit.Entrance>) second.start();
        second.end();
        first.end();

        assertThat(pause.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        assertThat(reentries.size()).isZero();
    }
}
