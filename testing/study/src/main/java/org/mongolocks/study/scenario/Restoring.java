package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.Administrator.Backup;
import org.mongolocks.study.technique.Techniques;

/**
 * The restore of an older backup. The server is unreachable for longer than a lease meanwhile, so that no lock is held
 * when it is back; a write of the last holder arrives after that, in some runs another lease later.
 */
final class Restoring implements Nemesis {
    private static final Duration BACKUP_AT = Duration.ofSeconds(4);
    private static final Duration OUTAGE = Duration.ofSeconds(13);
    private static final Duration RESTORED_AFTER = Duration.ofSeconds(12);
    private static final int MIN_LATE_MILLIS = 300;
    private static final int MAX_LATE_MILLIS = 4_000;

    private final RandomGenerator random;
    private @Nullable Backup backup;
    private int grantsLeft;
    private int lastHolder;
    private boolean struck;
    private boolean outOfReach;

    Restoring(RandomGenerator random) {
        this.random = random;
        this.grantsLeft = random.nextInt(3, 8);
    }

    @Override
    public void begin(SimulationRun world) {
        world.later(BACKUP_AT, () -> backup = world.administrator().backUp());
    }

    @Override
    public void at(FaultPoint moment, SimulationRun world, int client) {
        Backup saved = backup;
        if (moment == FaultPoint.WORKING && saved != null && !struck && grantsLeft-- == 0) {
            struck = true;
            outOfReach = true;
            lastHolder = client;
            world.fault(0, "the server is out of reach for " + OUTAGE);
            world.later(RESTORED_AFTER, () -> restore(world, saved));
            world.later(OUTAGE, () -> outOfReach = false);
        }
    }

    private void restore(SimulationRun world, Backup saved) {
        world.administrator().restore(saved, world::raiseTokens);
    }

    @Override
    public MessageFate fate(Message message) {
        return outOfReach && message.purpose() != Purpose.OPERATE ? MessageFate.LOST : MessageFate.ARRIVES;
    }

    @Override
    public Duration delayOfWrite(int client) {
        if (client != lastHolder) {
            return Duration.ZERO;
        }
        lastHolder = 0;
        Duration late = OUTAGE.plusMillis(random.nextInt(MIN_LATE_MILLIS, MAX_LATE_MILLIS));
        return random.nextInt(4) == 0 ? late.plus(Techniques.TTL) : late;
    }
}
