package org.mongolocks.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.workload.ProcessContention.ClientCounts;
import org.mongolocks.benchmarks.workload.ProcessContention.TimedGrant;

class ProcessContentionTest {
    private static final ClientCounts FIRST =
            new ClientCounts(6, 2, 500, List.of(new TimedGrant(1, 1_000, 1_100), new TimedGrant(3, 1_300, 1_400)));
    private static final ClientCounts SECOND = new ClientCounts(3, 1, 700, List.of(new TimedGrant(2, 1_130, 1_230)));

    @Test
    void handOverLastsFromTheReleaseOfOneProcessToTheGrantOfTheNext() {
        ProcessContention contention = ProcessContention.of(List.of(FIRST, SECOND), 2);

        assertThat(contention.handOverNanos().getTotalCount()).isEqualTo(2);
        assertThat(contention.handOverNanos().getMinValue()).isEqualTo(30);
        assertThat(contention.handOverNanos().getMaxValue()).isEqualTo(70);
    }

    @Test
    void countsOfAllProcessesAddUp() {
        ProcessContention contention = ProcessContention.of(List.of(FIRST, SECOND), 2);

        assertThat(contention.totals().threads()).isEqualTo(2);
        assertThat(contention.totals().grantsPerSecond()).isEqualTo(1.5);
        assertThat(contention.totals().commandsPerGrant()).isEqualTo(3);
        assertThat(contention.eventsPerGrant()).isEqualTo(1);
        assertThat(contention.totals().fairness()).isEqualTo(0.9);
        assertThat(contention.totals().longestWaitNanos()).isEqualTo(700);
        assertThat(contention.totals().violations()).isEqualTo(Violations.NONE);
    }

    @Test
    void grantBeforeTheReleaseOfAnotherProcessIsAViolation() {
        ClientCounts early = new ClientCounts(3, 1, 700, List.of(new TimedGrant(2, 1_090, 1_190)));

        assertThat(ProcessContention.of(List.of(FIRST, early), 2).totals().violations())
                .isEqualTo(new Violations(1, 0, 0));
    }

    @Test
    void tokenThatDoesNotGrowIsAViolation() {
        ClientCounts equal = new ClientCounts(3, 1, 700, List.of(new TimedGrant(3, 1_130, 1_230)));

        assertThat(ProcessContention.of(List.of(FIRST, equal), 2).totals().violations())
                .isEqualTo(new Violations(0, 1, 0));
    }

    @Test
    void countsAreTheSameAfterTheirTravelAsText() {
        assertThat(ClientCounts.of(FIRST.line())).isEqualTo(FIRST);
        assertThat(ClientCounts.of(new ClientCounts(0, 0, 0, List.of()).line()).grants())
                .isEmpty();
    }

    @Test
    void withoutAGrantAllCommandsAreThoseOfOne() {
        ProcessContention contention = ProcessContention.of(List.of(new ClientCounts(5, 3, 9, List.of())), 1);

        assertThat(contention.eventsPerGrant()).isEqualTo(3);
        assertThat(contention.totals().commandsPerGrant()).isEqualTo(5);
        assertThat(contention.handOverNanos().getTotalCount()).isZero();
    }
}
