package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;

/**
 * A fault that breaks the connections of a client from the reply to an acquisition on and interrupts its thread: the
 * client can only compensate a possible grant after the call has returned.
 */
final class PendingCompensationFault implements Nemesis {
    /**
     * Longer than the command timeout, so that the call does not wait for the release any more, and shorter than twice
     * that.
     */
    private static final int MIN_MILLIS = 2_200;

    private static final int MAX_MILLIS = 3_000;
    /** Long enough that the reply was in flight. */
    private static final Duration SOON = Duration.ofMillis(40);

    private final RandomGenerator random;
    private int spared;
    /** How many replies pass before the connections break; some strategies read before they write. */
    private int repliesLeft;

    private int victim;
    private boolean cut;
    private Optional<SimulationRun> world = Optional.empty();

    PendingCompensationFault(RandomGenerator random) {
        this.random = random;
        this.spared = random.nextInt(2, 8);
        this.repliesLeft = random.nextInt(2);
    }

    @Override
    public void begin(SimulationRun whole) {
        world = Optional.of(whole);
    }

    @Override
    public Optional<Duration> interruptAfter(int client) {
        boolean hit = spared-- == 0;
        victim = hit ? client : victim;
        return hit ? Optional.of(SOON) : Optional.empty();
    }

    @Override
    public MessageFate fate(Message message) {
        if (victim == 0 || message.client() != victim) {
            return MessageFate.ARRIVES;
        }
        boolean isAnswer = !cut && message.isReply() && message.purpose() == Purpose.ACQUIRE;
        if (isAnswer && repliesLeft-- == 0) {
            begin(Duration.ofMillis(random.nextLong(MIN_MILLIS, MAX_MILLIS)));
        }
        return cut ? MessageFate.LOST : MessageFate.ARRIVES;
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
