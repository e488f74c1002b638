package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.study.simulation.Fate;
import org.mongolocks.study.simulation.Message;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.Purpose;
import org.mongolocks.study.simulation.World;

/**
 * Breaks the connections of a client from the answer to an acquisition on, and has its thread interrupted: what it may have
 * been granted it can take back only when nobody waits for that any more.
 */
final class Owed implements Nemesis {
    /** Longer than one command may take, so that nobody waits for the release any more, and not as long as two. */
    private static final int SHORTEST_MILLIS = 2_200;

    private static final int LONGEST_MILLIS = 3_000;
    /** The answer was on its way by then. */
    private static final Duration SOON = Duration.ofMillis(40);

    private final RandomGenerator random;
    private int spared;
    /** Some strategies look before they write. */
    private int heard;

    private int victim;
    private boolean cut;
    private Optional<World> world = Optional.empty();

    Owed(RandomGenerator random) {
        this.random = random;
        this.spared = random.nextInt(2, 8);
        this.heard = random.nextInt(2);
    }

    @Override
    public void begin(World whole) {
        world = Optional.of(whole);
    }

    @Override
    public Optional<Duration> interruptAfter(int client) {
        boolean hit = spared-- == 0;
        victim = hit ? client : victim;
        return hit ? Optional.of(SOON) : Optional.empty();
    }

    @Override
    public Fate fate(Message message) {
        if (victim == 0 || message.client() != victim) {
            return Fate.ARRIVES;
        }
        boolean isAnswer = !cut && message.isReply() && message.purpose() == Purpose.ACQUIRE;
        if (isAnswer && heard-- == 0) {
            begin(Duration.ofMillis(random.nextLong(SHORTEST_MILLIS, LONGEST_MILLIS)));
        }
        return cut ? Fate.LOST : Fate.ARRIVES;
    }

    private void begin(Duration length) {
        cut = true;
        world.ifPresent(whole -> {
            whole.fault(victim, "its connections break for " + length);
            whole.later(length, () -> {
                whole.fault(victim, "its connections are whole again");
                victim = 0;
            });
        });
    }
}
