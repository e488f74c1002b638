package org.mongolocks.study.sim.server;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.EngineSnapshot;
import org.mongolocks.embedded.MongoConnection;
import org.mongolocks.embedded.MongoEngine;
import org.mongolocks.embedded.ReplyHandler;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.time.VirtualTime;

/** One member of the replica set: the embedded server's engine in virtual time. */
final class ReplicaSetMember {
    /** The version of MongoDB that members answer as, the newest if not set. */
    private static final String VERSION = System.getProperty("mongolocks.mongodbVersion", "9.0");

    private static final long MIN_WAIT_NANOS = Duration.ofMillis(1).toNanos();

    private final VirtualTime time;
    private final ServerClock clock;
    private final MongoEngine engine;
    private final Map<Integer, MongoConnection> connections = new HashMap<>();
    private VirtualTime.@Nullable Due wakeUp;

    /**
     * Starts a member.
     *
     * @param environment sets the interval of the TTL monitor and the pause in an upsert
     * @param age how long ago it was started
     */
    ReplicaSetMember(VirtualTime time, ServerClock clock, Environment environment, Duration age) {
        this.time = time;
        this.clock = clock;
        clock.step(age.negated());
        this.engine = MongoEngine.builder()
                .version(VERSION)
                .clock(clock)
                .ttlMonitorSeconds(environment.ttlMonitorSeconds())
                .upsertPause(environment::upsertPause)
                .build();
        clock.step(age);
        sleep();
    }

    /** Executes a command; the handler gets the reply now or later, or nothing if the connection is closed instead. */
    void submit(int client, Document command, Consumer<Optional<Document>> handler) {
        MongoConnection connection = connections.computeIfAbsent(client, id -> engine.connect());
        engine.submit(connection, command, new Handler(handler));
        sleep();
    }

    /** Runs the tasks that are due after the clock was moved. */
    void clockMoved() {
        engine.runDue();
        sleep();
    }

    EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    void restore(EngineSnapshot snapshot) {
        engine.restore(snapshot);
        sleep();
    }

    void advanceMajority(EngineSnapshot snapshot) {
        engine.advanceMajority(snapshot);
        sleep();
    }

    void advanceEvents(EngineSnapshot snapshot) {
        engine.advanceEvents(snapshot);
        sleep();
    }

    private void sleep() {
        if (wakeUp != null) {
            wakeUp.cancel();
        }
        Optional<Instant> due = engine.nextDue();
        wakeUp = due.map(at -> time.after(Math.max(MIN_WAIT_NANOS, clock.nanosUntil(at)), this::clockMoved))
                .orElse(null);
    }

    private record Handler(Consumer<Optional<Document>> to) implements ReplyHandler {
        @Override
        public void reply(Document reply) {
            to.accept(Optional.of(reply));
        }

        @Override
        public void connectionClosed() {
            to.accept(Optional.empty());
        }
    }

    /** The wall clock of the server. */
    public static final class ServerClock implements InstantSource {
        private final VirtualTime time;
        private Duration offset = Duration.ZERO;

        public ServerClock(VirtualTime time) {
            this.time = time;
        }

        @Override
        public Instant instant() {
            return VirtualTime.EPOCH.plus(offset).plusNanos(time.nowNanos());
        }

        public void step(Duration by) {
            offset = offset.plus(by);
        }

        /** Returns the time until this clock shows an instant. */
        public long nanosUntil(Instant instant) {
            return Duration.between(instant(), instant).toNanos();
        }
    }
}
