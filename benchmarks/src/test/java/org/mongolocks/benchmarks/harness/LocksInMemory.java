package org.mongolocks.benchmarks.harness;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.Waiting;

/** Party within this JVM; so many hold a lock at once as it is told, one if it is right. */
final class LocksInMemory implements Rival, Party {
    private final int holders;
    private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();

    LocksInMemory(int holders) {
        this.holders = holders;
    }

    @Override
    public String id() {
        return "in-memory";
    }

    @Override
    public Party open() {
        return this;
    }

    @Override
    public Waiting waiting() {
        return Waiting.TOLD;
    }

    @Override
    public Optional<Grant> acquire(LockRequest request) throws InterruptedException {
        Semaphore lock = locks.computeIfAbsent(request.name().value(), unknown -> new Semaphore(holders, true));
        return lock.tryAcquire(request.waitAtMost().toNanos(), TimeUnit.NANOSECONDS)
                ? Optional.of(Grant.of(OptionalLong.of(tokens.incrementAndGet()), lock::release))
                : Optional.empty();
    }

    @Override
    public void close() {
        // It has nothing to close.
    }
}
