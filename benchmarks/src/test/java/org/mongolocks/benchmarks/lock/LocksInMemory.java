package org.mongolocks.benchmarks.lock;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;

/** A lock within this JVM with a configurable number of concurrent holders; one is correct. */
public final class LocksInMemory implements LockImplementation, BenchmarkParticipant {
    private final int holders;
    private final boolean isLosing;
    private final Map<String, Semaphore> locks = new ConcurrentHashMap<>();
    private final AtomicLong tokens = new AtomicLong();

    private int opened;
    private int closed;

    public LocksInMemory(int holders) {
        this(holders, false);
    }

    private LocksInMemory(int holders, boolean isLosing) {
        this.holders = holders;
        this.isLosing = isLosing;
    }

    /** Returns a lock that always reports a loss on release. */
    public static LocksInMemory losing() {
        return new LocksInMemory(1, true);
    }

    public int opened() {
        return opened;
    }

    public int closed() {
        return closed;
    }

    @Override
    public String id() {
        return "in-memory";
    }

    @Override
    public BenchmarkParticipant open() {
        opened++;
        return this;
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NOTIFIED;
    }

    @Override
    public Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException {
        Semaphore lock = locks.computeIfAbsent(request.name().value(), unknown -> new Semaphore(holders, true));
        return lock.tryAcquire(request.waitAtMost().toNanos(), TimeUnit.NANOSECONDS)
                ? Optional.of(granted(lock))
                : Optional.empty();
    }

    @Override
    public void close() {
        closed++;
    }

    private AcquiredLock granted(Semaphore lock) {
        AcquiredLock grant = AcquiredLock.of(OptionalLong.of(tokens.incrementAndGet()), lock::release);
        return new AcquiredLock() {
            @Override
            public OptionalLong fencingToken() {
                return grant.fencingToken();
            }

            @Override
            public boolean release() {
                return grant.release() && !isLosing;
            }
        };
    }
}
