package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.RawCommands;
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
public class BaselineState {
    @Param
    public Client client;

    @Param
    public Baseline baseline;

    private ServerState serverState;

    @Setup(Level.Trial)
    public void open() {
        serverState = ServerState.open();
    }

    @TearDown(Level.Trial)
    public void close() {
        serverState.close();
    }

    /** Commands on documents that no other thread uses. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init")
    public static class OwnCommands {
        private RawCommands raw;
        private Baseline baseline;

        @Setup(Level.Trial)
        public void open(BaselineState state) {
            baseline = state.baseline;
            raw = state.serverState
                    .environment()
                    .driver(state.client)
                    .raw(state.serverState.environment().name("baseline"));
        }

        void send() {
            baseline.run(raw);
        }
    }
}
