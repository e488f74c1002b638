package org.mongolocks.study.scenario;

import java.time.Duration;
import org.mongolocks.study.simulation.Fate;
import org.mongolocks.study.simulation.Message;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.World;

/** A fault that disconnects one holder from the server for a while; the holder is not notified. */
final class CutOff implements Nemesis {
    private final Strike strike;
    private int cutOff;

    CutOff(int victim, Duration length) {
        this.strike = Strike.first(Moment.WORKING, client -> client == victim, (world, client) -> {
            world.fault(client, "it is cut off from the server for " + length);
            cutOff = client;
            world.later(length, () -> cutOff = 0);
        });
    }

    @Override
    public void at(Moment moment, World world, int client) {
        strike.at(moment, world, client);
    }

    @Override
    public Fate fate(Message message) {
        return message.client() == cutOff ? Fate.SWALLOWED : Fate.ARRIVES;
    }
}
