package org.mongolocks.benchmarks.race;

import static org.mongolocks.benchmarks.client.RawFloor.DURABLE;

import com.mongodb.WriteConcern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.client.Held;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.client.Raw;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.spi.LockStrategy;

/** The fixture of one benchmark with one driver and one pool: its baselines and lock clients. */
final class Field implements AutoCloseable {
    private final Session session;
    private final String benchmark;
    private final Side side;
    private final Map<String, Lane> floors = new HashMap<>();
    private final List<Locks> opened = new ArrayList<>();
    private final List<Runnable> watched = new ArrayList<>();

    Field(Session session, String benchmark, Client client) {
        this.session = session;
        this.benchmark = benchmark;
        this.side = session.bench().side(client);
    }

    Subject subject(String contender) {
        return Subject.of(benchmark, contender, side.client());
    }

    /** Returns a baseline with the durability of a lock; the same instance on each call. */
    Lane floor(RawFloor floor) {
        return floors.computeIfAbsent(enter(floor, DURABLE), id -> lane(id, floor, DURABLE));
    }

    /** Returns a custom baseline; the same instance on each call. */
    Lane floor(Contender floor, Function<Field, Lane> maker) {
        session.enter(floor);
        return floors.computeIfAbsent(floor.id(), id -> maker.apply(this));
    }

    /** Creates a baseline with a write concern. */
    Lane floor(RawFloor floor, WriteConcern concern) {
        return lane(enter(floor, concern), floor, concern);
    }

    /** Adds a baseline to the contenders and returns its id. */
    String enter(RawFloor floor, WriteConcern concern) {
        Contender contender = floor.contender(concern);
        session.enter(contender);
        return contender.id();
    }

    /** Returns raw commands on a document that no other client uses. */
    Raw raw(WriteConcern concern) {
        return side.raw(concern, session.bench().name("floor"));
    }

    /** Creates a client of a strategy. It is closed with this fixture. */
    Locks locks(LockStrategy strategy) throws InterruptedException {
        Locks locks = side.locks(strategy, session.bench().name(strategy.name()));
        opened.add(locks);
        return locks;
    }

    /** Creates an uncontended lock. Its violations are judged when this fixture is closed. */
    OwnLock ownLock(LockStrategy strategy, Locks locks) {
        OwnLock lock = new OwnLock(locks);
        watched.add(() -> session.judge(strategy.name(), lock.violations()));
        return lock;
    }

    /** Checks the result of an attempt at a lock that another owner holds. */
    void requireDenied(LockStrategy strategy, Optional<Held> answer) {
        if (answer.isPresent()) {
            session.judge(
                    strategy.name(), Verdict.voided("More than one held the lock: one was granted that another held"));
            throw new LockException("A lock was granted while another owner held it");
        }
    }

    @Override
    public void close() {
        watched.forEach(Runnable::run);
        opened.forEach(Locks::close);
    }

    private Lane lane(String id, RawFloor floor, WriteConcern concern) {
        Raw raw = raw(concern);
        return Lane.of(subject(id), () -> floor.run(raw));
    }
}
