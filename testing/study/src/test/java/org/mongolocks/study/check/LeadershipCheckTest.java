package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

class LeadershipCheckTest {
    /** Both hold the lock from 10 and 20 on, as after a forced release. */
    private final Script script =
            new Script().at(0).asks(1).asks(2).at(10).gets(1, 5, 1).at(20).gets(2, 6, 2);

    private List<Violation> found() {
        return Checker.check(script.history(), Script.LEASED).violations().stream()
                .filter(violation -> violation.finding() == Finding.LED_TWICE)
                .toList();
    }

    @Test
    void holdersThatDoNotLeadAreNoLeaders() {
        script.at(30).happens(Op.LEAD, Phase.INVOKE, 1);

        assertThat(found()).isEmpty();
    }

    @Test
    void leaderElectedBeforeTheOtherIsRevokedIsFound() {
        script.at(30)
                .happens(Op.LEAD, Phase.INVOKE, 1)
                .at(40)
                .happens(Op.LEAD, Phase.INVOKE, 2)
                .at(50)
                .happens(Op.LEAD, Phase.OK, 1);

        assertThat(found()).containsExactly(new Violation(Finding.LED_TWICE, 1, 2, 40));
    }

    @Test
    void leaderElectedAfterARevocationOrTheEndOfALeaseIsTheOnlyOne() {
        script.at(30)
                .happens(Op.LEAD, Phase.INVOKE, 1)
                .at(40)
                .happens(Op.LEAD, Phase.OK, 1)
                .at(50)
                .happens(Op.LEAD, Phase.INVOKE, 2)
                .at(20 + Script.TTL)
                .asks(3)
                .gets(3, 7, 3)
                .happens(Op.LEAD, Phase.INVOKE, 3);

        assertThat(found()).isEmpty();
    }

    @Test
    void pausedLeaderLeadsNothing() {
        script.at(30)
                .happens(Op.LEAD, Phase.INVOKE, 1)
                .at(35)
                .recordFault(Op.PAUSE, Phase.INVOKE, 1)
                .at(40)
                .happens(Op.LEAD, Phase.INVOKE, 2);

        assertThat(found()).isEmpty();
    }
}
