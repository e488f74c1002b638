package org.mongolocks.benchmarks.workload;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.ConcurrentTasks;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.spi.LockStrategy;

/**
 * A holder that keeps a lock alive through a proxy, and whose connections become silent without being closed, at a
 * random moment in the second third of a ttl.
 */
public final class SilentConnectionsRun implements AutoCloseable {
    /** The number of pooled connections that become silent. */
    public static final int POOLED = 4;

    private static final int TIMEOUT_IN_TTLS = 20;
    /** The client is patient with a server whose writes are slow, as the first writes of a process are. */
    private static final int FIRST_LOCKS = 5;

    private static final int MAX_TRIES = 10;

    private final Duration ttl;
    private final ReplyLog replies = new ReplyLog();
    private final FaultProxy proxy;
    private final DriverAdapter driver;
    private final BlockingLocks locks;
    private final RawCommands raw;

    /** Opens a client behind a proxy of its own. */
    public SilentConnectionsRun(RunEnvironment environment, LockStrategy strategy, Client client, Duration ttl)
            throws InterruptedException {
        this.ttl = ttl;
        this.proxy = environment.proxy();
        this.driver = environment.driver(client, replies, proxy);
        this.locks = driver.locks(strategy, environment.name(strategy.name()));
        this.raw = driver.raw(Baseline.DURABLE, environment.name("baseline"));
    }

    /**
     * Stops all traffic for good.
     *
     * @return the time from then until the client knows that the lock is lost, in nanoseconds
     * @throws LockException if it does not notice
     */
    public long lossNanos() throws InterruptedException {
        BlockingLock lock = hold();
        CompletableFuture<Long> lostNanos = new CompletableFuture<>();
        long beganNanos = System.nanoTime();
        proxy.freeze();
        lock.onLost((lease, reason) -> lostNanos.complete(System.nanoTime()));
        return result(lostNanos, "know the loss of its lock") - beganNanos;
    }

    /**
     * Silences the pooled connections; new ones work.
     *
     * @throws LockException if the client neither gets a reply nor knows that the lock is lost
     */
    public Recovery recover() throws InterruptedException {
        fillPool();
        BlockingLock lock = hold();
        CompletableFuture<Long> replied = replies.begin();
        long beganNanos = System.nanoTime();
        lock.onLost((lease, reason) -> replied.complete(0L));
        proxy.forget();
        long repliedNanos = result(replied, "get a reply or know the loss of its lock");
        boolean isOutlived = lock.isHeld();
        return new Recovery(
                isOutlived ? OptionalLong.of(repliedNanos - beganNanos) : OptionalLong.empty(), replies.commands());
    }

    /** Ends the faults, releases the lock, and closes the client. */
    @Override
    public void close() {
        proxy.heal();
        proxy.cut();
        locks.close();
        driver.close();
        proxy.close();
    }

    /** Returns a lock that is kept alive, in the second third of its first ttl. On a busy machine it may be lost then. */
    private BlockingLock hold() throws InterruptedException {
        for (int i = 0; i < FIRST_LOCKS; i++) {
            acquire(RunEnvironment.TTL, false).release();
        }
        BlockingLock lock = acquire(ttl, true);
        awaitSecondThird();
        for (int tries = 1; tries < MAX_TRIES && !lock.isHeld(); tries++) {
            lock = acquire(ttl, true);
            awaitSecondThird();
        }
        return lock;
    }

    private BlockingLock acquire(Duration length, boolean keepsAlive) throws InterruptedException {
        LockRequest plain =
                LockRequest.of("silent-" + UUID.randomUUID(), length).waitAtMost(RunEnvironment.TTL);
        Optional<BlockingLock> grant = locks.tryAcquire(keepsAlive ? plain.keepAlive() : plain);
        return grant.orElseThrow(() -> new LockException("A free lock was not granted"));
    }

    /** Sends as many commands at once as there are to be connections: the proxy holds them until all are sent. */
    private void fillPool() throws InterruptedException {
        FaultRule all = proxy.arm(new CommandMatcher(Set.of("ping"), 0, POOLED), WireFault.holdRequest());
        List<Callable<Boolean>> tasks = new ArrayList<>(Collections.nCopies(POOLED, this::ping));
        tasks.add(() -> {
            all.awaitCaught(POOLED);
            all.release();
            return true;
        });
        ConcurrentTasks.run(tasks);
    }

    private boolean ping() {
        raw.ping();
        return true;
    }

    private void awaitSecondThird() throws InterruptedException {
        long third = ttl.toNanos() / 3;
        TimeUnit.NANOSECONDS.sleep(third + ThreadLocalRandom.current().nextLong(third));
    }

    private long result(CompletableFuture<Long> nanos, String what) throws InterruptedException {
        try {
            return nanos.get(TIMEOUT_IN_TTLS * ttl.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new LockException(
                    "A client must " + what + " within " + TIMEOUT_IN_TTLS + " ttls of " + ttl + ", but did not", e);
        }
    }

    /**
     * The end of a silence.
     *
     * @param nanos the time until the first reply, in nanoseconds; empty if the lock was lost
     * @param commands the number of commands sent until then, the answered one included
     */
    public record Recovery(OptionalLong nanos, long commands) {}

    /** A log of the commands since a moment, and of the first reply to one of them. */
    private static final class ReplyLog implements CommandListener {
        private final CompletableFuture<Long> repliedNanos = new CompletableFuture<>();
        private final Set<Integer> sent = new HashSet<>();
        private boolean isCounting;

        /** Starts the log. Returns the time of the first reply, to be completed. */
        synchronized CompletableFuture<Long> begin() {
            isCounting = true;
            return repliedNanos;
        }

        synchronized long commands() {
            return sent.size();
        }

        @Override
        public synchronized void commandStarted(CommandStartedEvent event) {
            if (isCounting && !repliedNanos.isDone()) {
                sent.add(event.getRequestId());
            }
        }

        @Override
        public synchronized void commandSucceeded(CommandSucceededEvent event) {
            if (sent.contains(event.getRequestId())) {
                repliedNanos.complete(System.nanoTime());
            }
        }
    }
}
