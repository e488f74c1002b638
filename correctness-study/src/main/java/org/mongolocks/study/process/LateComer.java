package org.mongolocks.study.process;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.technique.Technique;

/**
 * A client that acquires the lock at the end of a run, to check that it can be acquired.
 *
 * @param observer records the events
 * @param number the number of its process in the history
 */
record LateComer(Observer observer, int number) {
    /**
     * If the lock cannot be acquired in this time it counts as a leak. Long enough for a client that waits for a whole
     * lease by its own clock.
     */
    private static final Duration PROBING = RealTechniques.TTL.multipliedBy(2).plusSeconds(5);

    void probe(Assignment.Place place, Technique technique) throws InterruptedException {
        Notes notes = new Notes(event -> observer.told(number, event));
        try (Contender contender = Contender.of(place, technique)) {
            observer.befalls(number, Op.PROBE, Phase.INVOKE, "");
            Optional<Tenure> tenure = Tenure.acquire(notes, contender, () -> contender.acquire(PROBING));
            observer.befalls(number, Op.PROBE, tenure.isPresent() ? Phase.OK : Phase.FAIL, "");
            tenure.ifPresent(Tenure::release);
        }
    }
}
