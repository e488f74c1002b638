package org.mongolocks.benchmarks.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.target.UnusableInputException;

/**
 * The locks of other libraries that can be measured.
 *
 * @param redis the address of a Redis, {@code redis://HOST:PORT}, if available
 * @param zookeeper the address of a ZooKeeper, {@code HOST:PORT}, if available
 */
public record OtherLibraries(Optional<String> redis, Optional<String> zookeeper) {
    /** The libraries that need no other server than MongoDB. */
    public static final OtherLibraries ON_MONGODB = new OtherLibraries(Optional.empty(), Optional.empty());

    private static final Pattern REDIS = Pattern.compile("rediss?://[^\\s/]*[^\\s/:@]+:\\d{1,5}(/\\d*)?");
    private static final Pattern ZOOKEEPER = Pattern.compile("[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*(/\\S*)?");

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
    }

    /** Adds all libraries to a run, and returns those that can be measured. The caller closes them. */
    public List<LockImplementation> enter(BenchmarkContext session) {
        List<LockImplementation> rivals = new ArrayList<>();
        session.enter(ShedLockLock.CONTENDER);
        rivals.add(new ShedLockLock(session.bench()));
        session.enter(MongockLock.CONTENDER);
        rivals.add(new MongockLock(session.bench()));
        onRedis(session).ifPresent(rivals::add);
        onZooKeeper(session).ifPresent(rivals::add);
        return rivals;
    }

    private Optional<LockImplementation> onRedis(BenchmarkContext session) {
        if (redis.isEmpty()) {
            session.enter(skipped(RedissonFencedLock.contender("as Redis is configured"), "needs --redis"));
            return Optional.empty();
        }
        RedissonFencedLock rival =
                new RedissonFencedLock(redis.get(), session.bench().name(""));
        try {
            session.enter(RedissonFencedLock.contender(rival.durability()));
            return Optional.of(rival);
        } catch (RuntimeException e) {
            session.enter(
                    skipped(RedissonFencedLock.contender("as Redis is configured"), "no Redis answers at --redis"));
            return Optional.empty();
        }
    }

    private Optional<LockImplementation> onZooKeeper(BenchmarkContext session) {
        if (zookeeper.isEmpty()) {
            session.enter(skipped(CuratorLock.CONTENDER, "needs --zookeeper"));
            return Optional.empty();
        }
        CuratorLock rival = new CuratorLock(zookeeper.get(), session.bench().name("locks"));
        try {
            rival.requireAnswer();
            session.enter(CuratorLock.CONTENDER);
            return Optional.of(rival);
        } catch (RuntimeException e) {
            session.enter(skipped(CuratorLock.CONTENDER, "no ZooKeeper answers at --zookeeper"));
            return Optional.empty();
        }
    }

    private static LockUnderTest skipped(LockUnderTest contender, String reason) {
        return contender.with(MeasurementStatus.skipped(reason));
    }
}
