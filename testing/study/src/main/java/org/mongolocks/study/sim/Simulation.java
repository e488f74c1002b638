package org.mongolocks.study.sim;

import static org.mongolocks.study.history.Event.Op.PROBE;
import static org.mongolocks.study.history.Event.Op.TALLY;
import static org.mongolocks.study.history.Event.Phase.FAIL;
import static org.mongolocks.study.history.Event.Phase.INVOKE;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.mongolocks.study.history.CommandRecord;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.driver.CommandLog;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.server.GuardedCounter;
import org.mongolocks.study.sim.server.SimulatedServer.Request;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.sim.workload.SimulatedWorker;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** Runs scenarios. The same scenario, technique and seed give the same history, byte for byte. */
public final class Simulation {
    private Simulation() {}

    /**
     * Runs a scenario once.
     *
     * @param seed the seed of all randomness
     */
    public static Outcome run(Scenario scenario, Technique technique, long seed) {
        return run(new SimulationRun(scenario, technique, new SeededRandom(seed)), scenario, technique);
    }

    /**
     * Runs a scenario once, and records the commands. The history is the same as without.
     *
     * @param seed the seed of all randomness
     * @return the outcome, with the commands
     */
    public static Traced trace(Scenario scenario, Technique technique, long seed) {
        SimulationRun run = new SimulationRun(scenario, technique, new SeededRandom(seed));
        CommandLog log = new CommandLog(run.world()::nowNanos);
        run.world().traceTo(log);
        return new Traced(run(run, scenario, technique), log.commands());
    }

    /**
     * Runs a scenario once with other workers, until the end of its workload. Nothing is checked.
     *
     * @param seed the seed of all randomness
     * @param measurement creates the workers, which also observe the commands
     */
    public static void measure(
            Scenario scenario, Technique technique, long seed, Function<SimulationRun, Measurement> measurement) {
        SimulationRun run = new SimulationRun(scenario, technique, new SeededRandom(seed));
        Measurement workers = measurement.apply(run);
        run.world().traceTo(workers.trace());
        run.startWorkersBy(workers::work);
        run.begin();
        run.world().time().runUntil(scenario.workload().length().toNanos());
    }

    /** The workers of a run that is measured, not checked. */
    public interface Measurement {
        /** Returns the listener for sent commands. */
        WireTrace trace();

        /**
         * Starts one worker.
         *
         * @param random its source of randomness
         */
        void work(SimulatedClient client, RandomGenerator random);
    }

    private static Outcome run(SimulationRun run, Scenario scenario, Technique technique) {
        run.begin();
        return new Epilogue(run, run.world().time(), run.world().recorder()).run(scenario, technique);
    }

    /**
     * The outcome of a run.
     *
     * @param commands how many commands were sent until all clients had stopped
     * @param streamCommands how many of them were of change streams, if they were counted
     * @param events how many events there were
     */
    public record Outcome(History history, long commands, long streamCommands, long events) {}

    /**
     * A run with its recorded commands.
     *
     * @param outcome the outcome, the same as without recording
     * @param commands every sending of every command, in order
     */
    public record Traced(Outcome outcome, List<CommandRecord> commands) {}

    /** The end of a run: all faults end and all clients stop; after a lease a new client acquires the lock. */
    private record Epilogue(SimulationRun run, VirtualTime time, Recorder recorder) {
        /**
         * The time after the last critical section: by then commands in flight have their replies, pauses have ended, and
         * leases have expired.
         */
        private static final Duration QUIET = Techniques.TTL.plusSeconds(10);
        /**
         * If the lock cannot be acquired in this time it counts as a leak. Long enough for a client that waits for a whole
         * lease by its own clock.
         */
        private static final Duration PROBING = Techniques.TTL.plusSeconds(5);

        Outcome run(Scenario scenario, Technique technique) {
            Workload workload = scenario.workload();
            long end = workload.length().toNanos()
                    + SimulatedWorker.MAX_WRITES * workload.work().mostNanos()
                    + QUIET.toNanos();
            time.runUntil(end);
            long commands = run.world().commands();
            long ofStreams = run.world().streamCommands();
            probe();
            time.runUntil(end + PROBING.plusSeconds(1).toNanos());
            if (technique.config().isShipped()) {
                tally();
            }
            History history = recorder.history(Techniques.TTL.toNanos());
            long handover = scenario.usage().handover().map(Duration::toNanos).orElse(Long.MAX_VALUE);
            return new Outcome(history.withHandover(handover), commands, ofStreams, time.passed());
        }

        private void probed(SimulatedClient late, boolean isFree) {
            recorder.line(late.id(), PROBE, isFree ? OK : FAIL).add();
        }

        private void tally() {
            Request look = new Request(0, BsonConversion.toServer(GuardedCounter.look()), false, Optional.empty());
            run.world()
                    .server()
                    .execute(
                            look,
                            executed -> recorder.line(0, TALLY, OK)
                                    .value(GuardedCounter.count(BsonConversion.reply(
                                            executed.reply().orElseThrow())))
                                    .add());
        }

        private void probe() {
            SimulatedClient late = run.newClient(ClockFault.NONE);
            recorder.line(late.id(), PROBE, INVOKE).add();
            switch (run.world().usage().use()) {
                case SEVERAL, ONE_BY_ONE ->
                    late.acquireAll(Locks.several(), PROBING, held -> probed(late, !held.isEmpty()));
                default -> late.acquire(PROBING, holding -> probed(late, holding.isPresent()));
            }
        }
    }
}
