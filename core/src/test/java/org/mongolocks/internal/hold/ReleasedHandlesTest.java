package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.reentrant.HandleListeners;
import org.mongolocks.internal.reentrant.HoldReference;
import org.mongolocks.internal.reentrant.ReentrantAcquisition;
import org.mongolocks.internal.reentrant.ReentrantHolds;
import org.mongolocks.spi.Step;

/** Tests that the listeners of a reentrant lock end with their handles. */
class ReleasedHandlesTest {
    private static final LockRequest REQUEST =
            LockRequest.of("a", HoldingLab.TTL).fixedLease();
    private static final Duration NEAR = Duration.ofSeconds(2);
    private static final int MANY = 100_000;

    private final HoldingLab lab = new HoldingLab();
    private final ReentrantHolds reentries = new ReentrantHolds(lab.settings(), lab.holds());
    private final Hold hold = acquired();
    private final List<String> calls = new ArrayList<>();
    private final int before = hold.listeningHandles();

    @Test
    void releasedHandlesLeaveNoListener() {
        for (int i = 0; i < MANY; i++) {
            HoldReference handle = enter();
            listen(handle);
            end(handle);
        }

        assertThat(hold.listeningHandles()).isEqualTo(before);
    }

    /** However many are left when one is released. */
    @Test
    @Tag("finds:released-handle-listeners")
    void handlesThatAreReleasedLateLeaveNoListener() {
        List<HoldReference> handles = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            handles.add(enter());
            hold.onLost(handles.get(i), (lease, reason) -> calls.add("lost"));
        }

        handles.forEach(this::end);

        assertThat(hold.listeningHandles()).isEqualTo(before);
    }

    @Test
    @Tag("finds:released-handle-listeners")
    void listenersThatAreAddedAfterTheReleaseAreNotKept() {
        HoldReference handle = enter();
        end(handle);

        listen(handle);

        assertThat(hold.listeningHandles()).isEqualTo(before);
    }

    @Test
    void onlyTheListenersOfHandlesThatAreLeftAreCalled() {
        HoldReference released = enter();
        HandleListeners gone = listen(released);
        HoldReference left = enter();
        HandleListeners kept = new HandleListeners(hold, left);
        kept.onEndangered(NEAR, (lease, remaining) -> calls.add("endangered"));
        kept.onLost((lease, reason) -> calls.add("lost " + reason));
        end(released);

        lab.timer.advance(HoldingLab.TTL);

        assertThat(calls).containsExactly("endangered", "lost " + LossReason.EXPIRED);
        assertThat(released.loss(hold)).isEmpty();
        assertThat(left.loss(hold)).contains(LossReason.EXPIRED);
        assertThat(List.of(gone, kept)).doesNotContainNull();
    }

    private HandleListeners listen(HoldReference handle) {
        HandleListeners listeners = new HandleListeners(hold, handle);
        listeners.onLost((lease, reason) -> calls.add("lost, released"));
        listeners.onEndangered(NEAR, (lease, remaining) -> calls.add("endangered, released"));
        Runnable unused = listeners.signalLoss((lease, reason) -> calls.add("signal, released"));
        return listeners;
    }

    private void end(HoldReference handle) {
        assertThat(handle.release()).isEqualTo(HoldReference.ReleaseAction.ONE_OF_SEVERAL);
        assertThat(handle.end(hold)).isTrue();
    }

    private Hold acquired() {
        ReentrantAcquisition first = reentries.acquisition("me", REQUEST);
        Step<ReentrantAcquisition.Outcome> unused = first.start();
        Hold granted = lab.hold("a", false);
        HoldReference outer = first.acquired(granted);
        assertThat(outer.isReleased()).isFalse();
        return granted;
    }

    private HoldReference enter() {
        ReentrantAcquisition again = reentries.acquisition("me", REQUEST);
        Step<ReentrantAcquisition.Outcome> unused = again.start();
        return again.share();
    }
}
