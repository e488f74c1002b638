package org.mongolocks.study.process.child;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.parent.RealTechniques;
import org.mongolocks.study.process.parent.RunObserver;
import org.mongolocks.study.technique.Technique;

/**
 * A client that acquires the lock at the end of a run, to check that it can be acquired.
 *
 * @param observer records the events
 * @param number the number of its process in the history
 */
public record LivenessProbe(RunObserver observer, int number) {
    /**
     * If the lock cannot be acquired in this time it counts as a leak. Long enough for a client that waits for a whole
     * lease by its own clock.
     */
    private static final Duration PROBING = RealTechniques.TTL.multipliedBy(2).plusSeconds(5);

    public void probe(ChildConfig.Place place, Technique technique) throws InterruptedException {
        ChildHistory notes = new ChildHistory(event -> observer.record(number, event));
        try (ChildClient contender = ChildClient.of(place, technique)) {
            observer.befalls(number, Op.PROBE, Phase.INVOKE, "");
            Optional<HeldLockMonitor> tenure =
                    HeldLockMonitor.acquire(notes, contender, () -> contender.acquire(PROBING));
            observer.befalls(number, Op.PROBE, tenure.isPresent() ? Phase.OK : Phase.FAIL, "");
            tenure.ifPresent(HeldLockMonitor::release);
        }
    }
}
