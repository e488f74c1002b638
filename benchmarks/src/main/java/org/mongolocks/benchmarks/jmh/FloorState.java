package org.mongolocks.benchmarks.jmh;

import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Has the floor of one driver. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameter and calls the set-up before anything else.
public class FloorState {
    @Param
    public Driver client;

    private Rig rig;
    private Runnable floor;

    @Setup(Level.Trial)
    public void open() {
        rig = client.open();
        floor = rig.floor();
    }

    @TearDown(Level.Trial)
    public void close() {
        rig.close();
    }

    void sendTwoFindAndModify() {
        floor.run();
    }
}
