package org.mongolocks.study.process;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.technique.Technique;

/**
 * Asks for the lock when all is over, to see whether it comes free.
 *
 * @param observer who takes down what happens
 * @param number the number of its process in the history
 */
record LateComer(Observer observer, int number) {
    /** Whoever cannot lock for so long calls it a leak. Long enough for who waits a whole lease by its own clock. */
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
