package org.mongolocks.benchmarks.race;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.client.Held;
import org.mongolocks.benchmarks.client.Locks;
import org.mongolocks.benchmarks.client.RawFloor;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Block.Operation;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.spi.LockStrategy;

/** The paired benchmarks of a single operation per strategy. */
public final class Races {
    private static final int WEIGHT = 8;
    /** One operation takes some ten nanoseconds, about as long as reading the clock. */
    private static final int BATCH = 1_000;

    private static final Contender LOCAL_LOCK = Contender.of(
            "floor-reentrant-lock",
            Kind.FLOOR,
            "java.util.concurrent.locks.ReentrantLock",
            new Properties("none", "none", "thread", "none", "a parked thread", "no replies to lose"));

    private Races() {}

    /** Returns the benchmark of an attempt at a lock that another owner holds. */
    public static Benchmark denied() {
        return new Duel("B2", "ask for a lock that is held", WEIGHT, Races::denied);
    }

    /** Returns the benchmark of acquiring a lock that the same owner holds, and releasing that acquisition. */
    public static Benchmark reentered() {
        return new Duel("B3", "enter a lock again", WEIGHT / 2, Races::reentered);
    }

    /** Creates the operation that renews a lease. */
    static Lane renewed(Field field, LockStrategy strategy) throws InterruptedException {
        Held lock = field.ownLock(strategy, field.locks(strategy)).hold();
        Lane lane = Lane.of(field.subject(strategy.name()), () -> renew(lock));
        return lane.over(field.floor(RawFloor.FIND_AND_MODIFY));
    }

    private static List<Lane> denied(Field field, LockStrategy strategy) throws InterruptedException {
        Locks locks = field.locks(strategy);
        OwnLock held = field.ownLock(strategy, locks);
        held.hold();
        Operation question = () -> field.requireDenied(strategy, locks.tryAcquire(held.request()));
        return List.of(Lane.of(field.subject(strategy.name()), question).over(field.floor(RawFloor.FIND_AND_MODIFY)));
    }

    private static List<Lane> reentered(Field field, LockStrategy strategy) throws InterruptedException {
        Locks locks = field.locks(strategy);
        OwnLock lock = field.ownLock(strategy, locks);
        Operation entry = () -> enter(locks, field, lock).release();
        enter(locks, field, lock);
        Lane lane = Lane.ofBatch(field.subject(strategy.name()), entry, BATCH);
        return List.of(lane.over(field.floor(LOCAL_LOCK, Races::localLock)));
    }

    private static Lane localLock(Field field) {
        ReentrantLock lock = new ReentrantLock();
        Operation entry = () -> enterLocally(lock);
        return Lane.ofBatch(field.subject(LOCAL_LOCK.id()), entry, BATCH);
    }

    private static void enterLocally(ReentrantLock lock) {
        lock.lock();
        try {
            if (!lock.isHeldByCurrentThread()) {
                throw new IllegalStateException("The local lock is not held after it was acquired");
            }
        } finally {
            lock.unlock();
        }
    }

    private static Held enter(Locks locks, Object owner, OwnLock lock) throws InterruptedException {
        Optional<Held> entry = locks.enter(owner, lock.request());
        return entry.orElseThrow(() -> new LockException("A reentrant acquire by the holder was not granted"));
    }

    private static void renew(Held lock) throws InterruptedException {
        if (!lock.renew()) {
            throw new LockException("An uncontended lock had been lost when it was renewed");
        }
    }
}
