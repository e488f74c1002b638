package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.client.Raw;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.result.Client;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The JMH state of the baselines: raw commands of one driver, with the durability of a lock. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up first.
public class FloorState {
    @Param
    public Client client;

    @Param
    public RawFloor floor;

    private Stage stage;

    @Setup(Level.Trial)
    public void open() {
        stage = Stage.open();
    }

    @TearDown(Level.Trial)
    public void close() {
        stage.close();
    }

    /** Commands on documents that no other thread uses. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init")
    public static class OwnCommands {
        private Raw raw;
        private RawFloor floor;

        @Setup(Level.Trial)
        public void open(FloorState state) {
            floor = state.floor;
            raw = state.stage
                    .bench()
                    .side(state.client)
                    .raw(RawFloor.DURABLE, state.stage.bench().name("floor"));
        }

        void send() {
            floor.run(raw);
        }
    }
}
