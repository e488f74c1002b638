package org.mongolocks.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.server.UnusableInputException;

/**
 * The locks of other libraries that can be measured.
 *
 * @param redis the address of a Redis, {@code redis://HOST:PORT}, if available
 * @param zookeeper the address of a ZooKeeper, {@code HOST:PORT}, if available
 * @param etcd the address of an etcd, {@code HOST:PORT}, if available
 */
public record OtherLibraries(Optional<String> redis, Optional<String> zookeeper, Optional<String> etcd) {
    /** The libraries that need no other server than MongoDB. */
    public static final OtherLibraries ON_MONGODB =
            new OtherLibraries(Optional.empty(), Optional.empty(), Optional.empty());

    private static final Pattern REDIS = Pattern.compile("rediss?://[^\\s/]*[^\\s/:@]+:\\d{1,5}(/\\d*)?");
    private static final Pattern ZOOKEEPER = Pattern.compile("[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*(/\\S*)?");

    private static final Pattern ETCD = Pattern.compile("[^\\s:,/@]+:\\d{1,5}");

    /**
     * Checks the addresses. The message does not repeat an address, which may contain a password.
     *
     * @throws UnusableInputException if an address is malformed
     */
    public static void requireAddresses(OtherLibraries peers) {
        if (!peers.redis.stream().allMatch(address -> REDIS.matcher(address).matches())) {
            throw new UnusableInputException("--redis is no address such as redis://HOST:PORT (see --help)");
        }
        if (!peers.zookeeper.stream()
                .allMatch(address -> ZOOKEEPER.matcher(address).matches())) {
            throw new UnusableInputException("--zookeeper is no address such as HOST:PORT (see --help)");
        }
        if (!peers.etcd.stream().allMatch(address -> ETCD.matcher(address).matches())) {
            throw new UnusableInputException("--etcd is no address such as HOST:PORT (see --help)");
        }
    }

    /** Adds all libraries to a run, and returns those that can be measured. The caller closes them. */
    public List<LockImplementation> enter(BenchmarkContext context) throws InterruptedException {
        List<LockImplementation> contenders = new ArrayList<>();
        context.enter(ShedLockLock.CONTENDER);
        contenders.add(new ShedLockLock(context.environment()));
        context.enter(MongockLock.CONTENDER);
        contenders.add(new MongockLock(context.environment()));
        onRedis(context).ifPresent(contenders::add);
        onZooKeeper(context).ifPresent(contenders::add);
        onEtcd(context).ifPresent(contenders::add);
        return contenders;
    }

    private Optional<LockImplementation> onRedis(BenchmarkContext context) {
        if (redis.isEmpty()) {
            context.enter(skipped(RedissonFencedLock.contender("as Redis is configured"), "needs --redis"));
            return Optional.empty();
        }
        RedissonFencedLock contender =
                new RedissonFencedLock(redis.get(), context.environment().name(""));
        try {
            context.enter(RedissonFencedLock.contender(contender.durability()));
            return Optional.of(contender);
        } catch (RuntimeException e) {
            context.enter(
                    skipped(RedissonFencedLock.contender("as Redis is configured"), "no Redis answers at --redis"));
            return Optional.empty();
        }
    }

    private Optional<LockImplementation> onZooKeeper(BenchmarkContext context) {
        if (zookeeper.isEmpty()) {
            context.enter(skipped(CuratorLock.CONTENDER, "needs --zookeeper"));
            return Optional.empty();
        }
        CuratorLock contender =
                new CuratorLock(zookeeper.get(), context.environment().name("locks"));
        try {
            contender.requireAnswer();
            context.enter(CuratorLock.CONTENDER);
            return Optional.of(contender);
        } catch (RuntimeException e) {
            context.enter(skipped(CuratorLock.CONTENDER, "no ZooKeeper answers at --zookeeper"));
            return Optional.empty();
        }
    }

    private Optional<LockImplementation> onEtcd(BenchmarkContext context) throws InterruptedException {
        if (etcd.isEmpty()) {
            context.enter(skipped(EtcdLock.CONTENDER, "needs --etcd"));
            return Optional.empty();
        }
        EtcdLock contender = new EtcdLock(etcd.get(), context.environment().name("locks."));
        try {
            contender.requireAnswer();
            context.enter(EtcdLock.CONTENDER);
            return Optional.of(contender);
        } catch (RuntimeException e) {
            context.enter(skipped(EtcdLock.CONTENDER, "no etcd answers at --etcd"));
            return Optional.empty();
        }
    }

    private static LockUnderTest skipped(LockUnderTest contender, String reason) {
        return contender.with(MeasurementStatus.skipped(reason));
    }
}
