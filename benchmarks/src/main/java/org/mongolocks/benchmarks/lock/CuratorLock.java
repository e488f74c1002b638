package org.mongolocks.benchmarks.lock;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.RetryOneTime;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;

/** The mutex of Curator on ZooKeeper. It has no lease: a lock ends with the ZooKeeper session of its client. */
public final class CuratorLock implements OtherServerLock {
    static final LockUnderTest CONTENDER = LockUnderTest.of(
            "curator",
            Kind.PEER,
            "Curator 5.9.0 on ZooKeeper",
            new Properties(
                    "quorum of the ensemble, each log synced",
                    "none told",
                    "node of the session",
                    "server's, for the session",
                    "in order; told by a watch",
                    "yes: it finds the node that it made"));

    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int SESSION_MILLIS = 10_000;

    private final String ensemble;
    private final String base;

    public CuratorLock(String ensemble, String prefix) {
        this.ensemble = ensemble;
        this.base = "/" + prefix;
    }

    @Override
    public LockUnderTest entry() {
        connect().close();
        return CONTENDER;
    }

    @Override
    public String id() {
        return CONTENDER.id();
    }

    @Override
    public BenchmarkParticipant open() {
        return new Mutexes(connect(), base);
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NOTIFIED;
    }

    /** Deletes the nodes of this run. */
    @Override
    public void close() {
        try (CuratorFramework zookeeper = connect()) {
            zookeeper.delete().quietly().deletingChildrenIfNeeded().forPath(base);
        } catch (Exception e) {
            throw new LockException("Could not delete the nodes of this run below " + base, e);
        }
    }

    private CuratorFramework connect() {
        CuratorFramework zookeeper =
                CuratorFrameworkFactory.newClient(ensemble, SESSION_MILLIS, TIMEOUT_MILLIS, new RetryOneTime(1));
        zookeeper.start();
        try {
            if (zookeeper.blockUntilConnected(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                return zookeeper;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        zookeeper.close();
        throw new LockException("ZooKeeper does not answer");
    }

    private record Mutexes(CuratorFramework zookeeper, String base) implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) {
            InterProcessMutex mutex =
                    new InterProcessMutex(zookeeper, base + "/" + request.name().value());
            try {
                return mutex.acquire(request.waitAtMost().toMillis(), TimeUnit.MILLISECONDS)
                        ? Optional.of(AcquiredLock.of(OptionalLong.empty(), () -> release(mutex)))
                        : Optional.empty();
            } catch (Exception e) {
                throw new LockException("ZooKeeper did not grant a lock: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() {
            zookeeper.close();
        }
    }

    private static void release(InterProcessMutex mutex) {
        try {
            mutex.release();
        } catch (Exception e) {
            throw new LockException("ZooKeeper did not release a lock: " + e.getMessage(), e);
        }
    }
}
