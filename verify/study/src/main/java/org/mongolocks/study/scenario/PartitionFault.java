package org.mongolocks.study.scenario;

import java.time.Duration;
import org.mongolocks.study.sim.FaultPoint;
import org.mongolocks.study.sim.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.net.Message;
import org.mongolocks.study.sim.net.MessageFate;

/** A fault that disconnects one holder from the server for a while; the holder is not notified. */
final class PartitionFault implements Nemesis {
    private final OneShotFault strike;
    private int cutOff;

    PartitionFault(int victim, Duration length) {
        this.strike = OneShotFault.first(FaultPoint.WORKING, client -> client == victim, (world, client) -> {
            world.fault(client, "it is cut off from the server for " + length);
            cutOff = client;
            world.later(length, () -> cutOff = 0);
        });
    }

    @Override
    public void at(FaultPoint moment, SimulationRun world, int client) {
        strike.at(moment, world, client);
    }

    @Override
    public MessageFate fate(Message message) {
        return message.client() == cutOff ? MessageFate.SWALLOWED : MessageFate.ARRIVES;
    }
}
