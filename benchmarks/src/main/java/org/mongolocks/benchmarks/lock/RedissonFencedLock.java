package org.mongolocks.benchmarks.lock;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;

/** The fenced lock of Redisson on one Redis, without its watchdog: the lease has the ttl of the request. */
public final class RedissonFencedLock implements OtherServerLock {
    static final String ID = "redisson";
    static final String TITLE = "Redisson 4.7.0 on Redis";

    private static final int TIMEOUT_MILLIS = 3_000;

    private final String address;
    private final String prefix;

    public RedissonFencedLock(String address, String prefix) {
        this.address = address;
        this.prefix = prefix;
    }

    /** Returns this library as an entry of the results. */
    static LockUnderTest contender(String durability) {
        return LockUnderTest.of(
                ID,
                Kind.PEER,
                TITLE,
                new Properties(
                        durability,
                        "growing while Redis loses nothing",
                        "client and thread",
                        "server's",
                        "told by publish and subscribe",
                        "release only: who asks again on the same thread counts as re-entry"));
    }

    @Override
    public LockUnderTest entry() {
        return contender(durability());
    }

    /** Queries the persistence settings of the server. */
    String durability() {
        RedissonClient redisson = connect();
        try {
            var node = redisson.getRedisNodes(RedisNodes.SINGLE).getInstance();
            return "appendonly " + node.getConfig("appendonly").get("appendonly") + ", appendfsync "
                    + node.getConfig("appendfsync").get("appendfsync") + ", one server";
        } finally {
            redisson.shutdown();
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public BenchmarkParticipant open() {
        return new FencedLocks(connect(), prefix, ConcurrentHashMap.newKeySet());
    }

    @Override
    public WaitMode waiting() {
        return WaitMode.NOTIFIED;
    }

    @Override
    public void close() {
        // The caller of open() closes each client.
    }

    private RedissonClient connect() {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(address)
                .setConnectTimeout(TIMEOUT_MILLIS)
                .setTimeout(TIMEOUT_MILLIS)
                .setConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }

    private record FencedLocks(RedissonClient redisson, String prefix, Set<String> used)
            implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) {
            String name = prefix + request.name().value();
            used.add(name);
            RFencedLock lock = redisson.getFencedLock(name);
            return Optional.ofNullable(lock.tryLockAndGetToken(
                            request.waitAtMost().toMillis(), request.ttl().toMillis(), TimeUnit.MILLISECONDS))
                    .map(token -> AcquiredLock.of(OptionalLong.of(token), lock::unlock));
        }

        /** Deletes the locks and their token counters, which Redis would keep forever. */
        @Override
        public void close() {
            used.forEach(name -> redisson.getKeys().delete(name, "redisson_lock_token:{" + name + "}"));
            redisson.shutdown();
        }
    }
}
