package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.mongolocks.Owner;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.net.Network;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.server.SimulatedServer;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.sim.time.VirtualTime;

/** What all clients of a run share: time, network, server, resources, and the recorded history. */
public final class SimulatedWorld {
    private static final Duration TTL_MONITOR_AGE = Duration.ofSeconds(60);

    private final VirtualTime time = new VirtualTime();
    private final Recorder recorder = new Recorder(time::nowNanos);
    private final List<ProtectedResources> resources = IntStream.rangeClosed(0, Locks.SEVERAL)
            .mapToObj(lock -> new ProtectedResources(recorder, lock))
            .toList();
    private final Environment environment;
    private final Workload workload;
    private final LockUsage usage;
    private final RandomFaults faults;
    private final ObjIntConsumer<FaultPoint> reached;
    private final Network network;
    private final SimulatedServer server;
    private final Map<String, Acquisition> acquisitions = new HashMap<>();
    private WireTrace trace = WireTrace.NOBODY;
    private int grants;
    private long commands;
    private long streamCommands;

    /** The faults that need no more than a random decision. */
    public interface RandomFaults {
        /** Returns the fate of a message between a client and the server. */
        default MessageFate fate(Message message) {
            return MessageFate.ARRIVES;
        }

        /** Returns the additional delay of a write to the resources. */
        default Duration delayOfWrite(int client) {
            return Duration.ZERO;
        }

        /** Returns when a thread that acquires the lock is interrupted, if it still waits then; empty for never. */
        default Optional<Duration> interruptAfter(int client) {
            return Optional.empty();
        }
    }

    /** An acquisition of a client. */
    public record Acquisition(int client, int grant) {}

    /**
     * Creates a world at the beginning of a run.
     *
     * @param environment the environment of the clients
     * @param workload their actions
     * @param usage how they use locks
     * @param random the source of randomness
     * @param faults the random faults
     * @param reached called when a holder of a client reaches a fault point
     */
    public SimulatedWorld(
            Environment environment,
            Workload workload,
            LockUsage usage,
            SeededRandom random,
            RandomFaults faults,
            ObjIntConsumer<FaultPoint> reached) {
        this.environment = environment;
        this.workload = workload;
        this.usage = usage;
        this.faults = faults;
        this.reached = reached;
        this.network = new Network(time, Environment.DELAY, random.source("network"), this::fateOf);
        Duration age = Duration.ofMillis(random.source("server").nextLong(TTL_MONITOR_AGE.toMillis()));
        this.server = new SimulatedServer(time, environment, age, random.source("routing"));
    }

    /** Sets the listener for sent commands. */
    public void traceTo(WireTrace listener) {
        trace = listener;
    }

    WireTrace trace() {
        return trace;
    }

    /** Returns the fate of a message; after the end of the workload all messages arrive. */
    private MessageFate fateOf(Message message) {
        if (message.isStale()) {
            return MessageFate.SWALLOWED;
        }
        return isOver() ? MessageFate.ARRIVES : faults.fate(message);
    }

    /** Returns the time of the observer in nanoseconds since the run began. */
    public long nowNanos() {
        return time.nowNanos();
    }

    /** Returns whether the workload has ended. From then on there are no faults. */
    public boolean isOver() {
        return leftNanos() <= 0;
    }

    /** Returns the time until the end of the workload; negative after it. */
    public long leftNanos() {
        return workload.length().toNanos() - time.nowNanos();
    }

    /** Called when a holder of a client reaches a fault point. */
    public void at(FaultPoint point, int client) {
        if (!isOver()) {
            reached.accept(point, client);
        }
    }

    public Duration delayOfWrite(int client) {
        return faults.delayOfWrite(client);
    }

    public Optional<Duration> interruptAfter(int client) {
        return isOver() ? Optional.empty() : faults.interruptAfter(client);
    }

    /**
     * Records a fault.
     *
     * @param client its client; 0 for none
     */
    public void fault(int client, String what) {
        recorder.line(client, Op.FAULT, Phase.OK).note(what).add();
    }

    /** Counts a command, unless it belongs to the work under the lock. */
    void countCommand(Purpose purpose) {
        commands += purpose == Purpose.GUARD ? 0 : 1;
        streamCommands += purpose == Purpose.WATCH ? 1 : 0;
    }

    public long commands() {
        return commands;
    }

    public long streamCommands() {
        return streamCommands;
    }

    /** Records the acquisition of an owner. */
    public void asks(Owner owner, int client, int grant) {
        acquisitions.put(owner.stored(), new Acquisition(client, grant));
    }

    /** Returns the acquisition of an owner. */
    public Acquisition acquisition(String owner) {
        return Optional.ofNullable(acquisitions.get(owner)).orElseThrow();
    }

    public int newGrant() {
        return ++grants;
    }

    public VirtualTime time() {
        return time;
    }

    public Recorder recorder() {
        return recorder;
    }

    public ProtectedResources resources() {
        return resources(0);
    }

    /** Returns the resources that a lock protects. */
    public ProtectedResources resources(int lock) {
        return resources.get(lock);
    }

    Network network() {
        return network;
    }

    public SimulatedServer server() {
        return server;
    }

    public Environment environment() {
        return environment;
    }

    public LockUsage usage() {
        return usage;
    }

    public Workload workload() {
        return workload;
    }
}
