package org.mongolocks.internal.acquire;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.wait.SetLab.PATIENT;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.wait.LockTable;
import org.mongolocks.internal.wait.SetLab;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests that acquire several locks of a strategy that grants all or none in one step. */
class SetInOneStepTest {
    private final SetLab lab = new SetLab();
    private final LockTable table = lab.table.inOneStep();

    @Test
    void allAreAskedForAtOnce() {
        List<Hold> held = lab.held(lab.begin(ZERO, "b", "a"));

        assertThat(table.calls).containsExactly("acquire all");
        assertThat(held).extracting(hold -> hold.lease().name().value()).containsExactly("a", "b");
        assertThat(held).extracting(hold -> hold.lease().fencingToken()).containsExactly(1L, 2L);
        assertThat(held).allMatch(hold -> hold.remaining().equals(SetLab.TTL.minus(SetLab.MARGIN)));
    }

    @Test
    void nothingIsHeldWhileOneIsWaitedFor() {
        table.heldByAnother("b");
        lab.after(Duration.ofSeconds(9), () -> assertThat(table.holders).containsOnlyKeys("b"));
        lab.after(Duration.ofSeconds(10), () -> table.freed("b"));

        assertThat(lab.held(lab.begin(PATIENT, "a", "b"))).hasSize(2);
        assertThat(table.calls).containsOnly("acquire all");
    }

    @Test
    void holdersOfSeveralLocksAreWaitedForOneAfterAnother() {
        table.heldByAnother("a");
        lab.after(Duration.ofSeconds(1), () -> {
            table.freed("a");
            table.heldByAnother("b");
        });
        lab.after(Duration.ofSeconds(5), () -> table.freed("b"));

        assertThat(lab.held(lab.begin(PATIENT, "a", "b"))).hasSize(2);
        assertThat(lab.queues.isEmpty()).isTrue();
    }

    @Test
    void allThatMayHaveBeenGrantedIsCompensated() {
        table.fails("acquire all", Fault.AMBIGUOUS);

        Step<AcquireResult> end = lab.run(lab.begin(ZERO, "a", "b").start());

        assertThat(end).isInstanceOf(Step.Fail.class);
        assertThat(table.calls).contains("release a", "release b");
        assertThat(table.holders).isEmpty();
    }

    @Test
    void oneThatCannotBeCompensatedDoesNotKeepTheOthersFromIt() {
        table.fails("acquire all", Fault.AMBIGUOUS);
        table.fails("release a", Fault.NOT_SENT);

        assertThat(lab.outcome(lab.begin(ZERO, "a", "b"))).isInstanceOf(AcquireResult.Unknown.class);

        assertThat(table.holders).containsOnlyKeys("a");
    }

    @Test
    void aLossAfterAnAmbiguousReplyLeavesNoneOfTheOthersBehind() {
        table.fails("acquire all", Fault.AMBIGUOUS);
        MultiLockAcquisition acquisition = lab.begin(ZERO, "a", "b");
        Step.Pause<AcquireResult> retry = (Step.Pause<AcquireResult>) acquisition.start();
        table.heals();
        table.holders.put("b", "thief");

        assertThat(lab.run(retry.then().get()))
                .isInstanceOfSatisfying(
                        Step.Done.class, done -> assertThat(done.result()).isInstanceOf(AcquireResult.Contended.class));

        assertThat(table.holders).containsOnlyKeys("b");
    }

    @Test
    void aConflictIsWaitedOut() {
        table.fails("acquire all", Fault.WRITE_CONFLICT);
        lab.after(Duration.ofSeconds(2), table::heals);

        assertThat(lab.held(lab.begin(PATIENT, "a", "b"))).hasSize(2);
    }

    @Test
    void aConflictUntilTheDeadlineIsContention() {
        table.fails("acquire all", Fault.WRITE_CONFLICT);

        assertThat(lab.outcome(lab.begin(Duration.ofSeconds(2), "a", "b"))).isInstanceOf(AcquireResult.Contended.class);
        assertThat(table.holders).isEmpty();
    }
}
