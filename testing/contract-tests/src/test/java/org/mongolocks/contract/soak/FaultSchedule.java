package org.mongolocks.contract.soak;

import java.util.List;
import java.util.SplittableRandom;

/** A schedule of faults for each party, determined by the seed. */
final class FaultSchedule {
    private static final int MIN_GAP_MILLIS = 20;
    private static final int MAX_GAP_MILLIS = 120;
    /** The fraction of time without faults. */
    private static final double CALM = 0.5;

    private static final List<Weather> BAD = List.of(Weather.values()).stream()
            .filter(weather -> weather != Weather.CALM)
            .toList();

    private final SplittableRandom random;
    private final int parties;

    /**
     * A change of the faults of one party.
     *
     * @param afterMillis how long after the previous change
     * @param party the party
     * @param weather the new faults
     */
    record Change(int afterMillis, int party, Weather weather) {}

    FaultSchedule(long seed, int parties) {
        this.random = new SplittableRandom(seed);
        this.parties = parties;
    }

    Change next() {
        int after = random.nextInt(MIN_GAP_MILLIS, MAX_GAP_MILLIS);
        int party = random.nextInt(parties);
        boolean calm = random.nextDouble() < CALM;
        Weather bad = BAD.get(random.nextInt(BAD.size()));
        return new Change(after, party, calm ? Weather.CALM : bad);
    }
}
