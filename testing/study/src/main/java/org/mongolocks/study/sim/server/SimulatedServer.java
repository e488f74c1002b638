package org.mongolocks.study.sim.server;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.server.ReplicaSetMember.ServerClock;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.sim.time.VirtualTime;

/**
 * The replica set as clients see it: one primary and, during a network partition, a former one that some clients still
 * use.
 */
public final class SimulatedServer {
    /** The commands to which a router adds its time. */
    private static final Set<String> TIMED = Set.of("find", "update", "findAndModify");

    private final VirtualTime time;
    private final Environment environment;
    private final ServerClock clock;
    private final Set<Integer> cutOff = new HashSet<>();
    private final Map<Object, Long> firstExecutions = new HashMap<>();
    private final RandomGenerator routing;
    private Member primary;
    private @Nullable Member oldPrimary;
    private double refusedShare;
    private long overloadedUntilNanos;
    private long upAgainNanos;
    private long executed;
    private BsonTimestamp newest = new BsonTimestamp(0);

    /** A member that accepts commands. */
    private record Member(ReplicaSetMember node, Replication replication) {}

    /**
     * An executed command.
     *
     * @param reply the reply; empty if the connection broke
     * @param commit the position of the execution that the reply reports, in the server's order
     */
    public record Executed(Optional<Document> reply, long commit) {
        static final Executed BROKEN = new Executed(Optional.empty(), 0);
    }

    public SimulatedServer(VirtualTime time, Environment environment, Duration age, RandomGenerator routing) {
        this.time = time;
        this.environment = environment;
        this.routing = routing;
        this.clock = new ServerClock(time);
        this.primary = start(age);
        environment.eventGap().ifPresent(this::showEvents);
    }

    /** Delivers events whenever an idle shard reports that it has none. */
    private void showEvents(DurationRange gap) {
        primary.node().advanceEvents(primary.replication().majority());
        time.after(gap.draw(routing), () -> showEvents(gap));
    }

    /** Executes a command, and replies when the write concern is satisfied. */
    public void execute(Request request, Consumer<Executed> handler) {
        Member old = cutOff.contains(request.client()) ? oldPrimary : null;
        if (old == null && time.nowNanos() < upAgainNanos) {
            handler.accept(Executed.BROKEN);
            return;
        }
        if (time.nowNanos() < overloadedUntilNanos && routing.nextDouble() < refusedShare) {
            handler.accept(new Executed(Optional.of(overloaded()), 0));
            return;
        }
        Member member = old == null ? primary : old;
        member.node().submit(request.client(), routed(request.command()), reply -> {
            Executed result = new Executed(reply, commitOf(request, reply));
            if (request.awaitsMajority()) {
                member.replication().whenMajority(() -> handler.accept(result), () -> handler.accept(Executed.BROKEN));
            } else {
                member.replication().whenMajority(() -> {}, () -> {});
                handler.accept(result);
            }
        });
    }

    /** Sends the command through any router, which adds its time. */
    private Document routed(Document command) {
        List<Duration> routers = environment.routers();
        boolean isTimed = TIMED.contains(command.keySet().iterator().next());
        if (routers.isEmpty() || !isTimed) {
            return command;
        }
        Instant now = clock.instant().plus(routers.get(routing.nextInt(routers.size())));
        Document routed = new Document();
        routed.putAll(command);
        return routed.append(
                "runtimeConstants",
                new Document("localNow", now.truncatedTo(ChronoUnit.MILLIS))
                        .append("clusterTime", new BsonTimestamp(now, 0)));
    }

    /** Refuses a share of all commands from now on, as a server that limits requests does. */
    public void shedLoad(double share, Duration length) {
        refusedShare = share;
        overloadedUntilNanos = time.nowNanos() + length.toNanos();
    }

    private static Document overloaded() {
        return new Document("ok", 0.0)
                .append("code", 462)
                .append("codeName", "IngressRequestRateLimitExceeded")
                .append("errmsg", "Request rejected")
                .append("errorLabels", List.of("SystemOverloadedError", "RetryableError"));
    }

    public void stepClock(Duration by) {
        clock.step(by);
        primary.node().clockMoved();
    }

    /** Stops replication of all later writes. */
    public void haltReplication() {
        primary.replication().halt();
    }

    /**
     * Replaces the primary by another member: data that is not replicated to a majority is lost.
     *
     * @param ahead how far the clock of the new primary is ahead of that of the former one
     */
    public void failOver(Duration election, Duration ahead) {
        upAgainNanos = time.nowNanos() + election.toNanos();
        Replication replication = primary.replication();
        primary.node().restore(replication.majority());
        replication.lose();
        stepClock(ahead);
        primary = new Member(primary.node(), newReplication(primary.node()));
    }

    /**
     * Partitions the network: some clients stay with the primary, which has lost its majority; the others get a new
     * one.
     */
    public void divide(Set<Integer> withOldPrimary, Duration election) {
        upAgainNanos = time.nowNanos() + election.toNanos();
        cutOff.addAll(withOldPrimary);
        oldPrimary = primary;
        primary.replication().halt();
        Member elected = start(Duration.ZERO);
        elected.node().restore(primary.replication().majority());
        primary = new Member(elected.node(), newReplication(elected.node()));
    }

    /** Ends the partition: the former primary steps down. */
    public void unite() {
        Member deposed = oldPrimary;
        oldPrimary = null;
        cutOff.clear();
        if (deposed != null) {
            deposed.replication().lose();
        }
    }

    private Member start(Duration age) {
        ReplicaSetMember node = new ReplicaSetMember(time, clock, environment, age);
        return new Member(node, newReplication(node));
    }

    private Replication newReplication(ReplicaSetMember node) {
        return new Replication(time, node, environment.replicationLag().toNanos());
    }

    /** Returns the position of the first execution for a retry that is answered from the session's record. */
    private long commitOf(Request request, Optional<Document> reply) {
        executed++;
        boolean wrote = reply.map(this::recordTime).orElse(false);
        if (request.execution().isEmpty()) {
            return executed;
        }
        Object execution = request.execution().get();
        if (wrote) {
            firstExecutions.put(execution, executed);
        }
        return firstExecutions.getOrDefault(execution, executed);
    }

    /** Records the time of the last write, and returns whether it is later than that of earlier replies. */
    private boolean recordTime(Document reply) {
        if (reply.get("operationTime") instanceof BsonTimestamp operationTime && operationTime.compareTo(newest) > 0) {
            newest = operationTime;
            return true;
        }
        return false;
    }

    /**
     * A command that has arrived at the server.
     *
     * @param awaitsMajority whether its reply waits for a majority
     * @param execution identifies the command and its retries; empty if each is executed
     */
    public record Request(int client, Document command, boolean awaitsMajority, Optional<Object> execution) {}
}
