package org.mongolocks.benchmarks.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Verdict;
import org.mongolocks.benchmarks.rival.Rival;

/**
 * The locks of other libraries that can be measured.
 *
 * @param redis the address of a Redis, {@code redis://HOST:PORT}, if available
 * @param zookeeper the address of a ZooKeeper, {@code HOST:PORT}, if available
 */
public record Peers(Optional<String> redis, Optional<String> zookeeper) {
    /** The libraries that need no other server than MongoDB. */
    public static final Peers ON_MONGODB = new Peers(Optional.empty(), Optional.empty());

    private static final Pattern REDIS = Pattern.compile("rediss?://[^\\s/]*[^\\s/:@]+:\\d{1,5}(/\\d*)?");
    private static final Pattern ZOOKEEPER = Pattern.compile("[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*(/\\S*)?");

    /**
     * Checks the addresses. The message does not repeat an address, which may contain a password.
     *
     * @throws UnusableInputException if an address is malformed
     */
    public static void requireAddresses(Peers peers) {
        if (!peers.redis.stream().allMatch(address -> REDIS.matcher(address).matches())) {
            throw new UnusableInputException("--redis is no address such as redis://HOST:PORT (see --help)");
        }
        if (!peers.zookeeper.stream()
                .allMatch(address -> ZOOKEEPER.matcher(address).matches())) {
            throw new UnusableInputException("--zookeeper is no address such as HOST:PORT (see --help)");
        }
    }

    /** Adds all libraries to a run, and returns those that can be measured. The caller closes them. */
    public List<Rival> enter(Session session) {
        List<Rival> rivals = new ArrayList<>();
        session.enter(ShedLockRival.CONTENDER);
        rivals.add(new ShedLockRival(session.bench()));
        session.enter(MongockRival.CONTENDER);
        rivals.add(new MongockRival(session.bench()));
        onRedis(session).ifPresent(rivals::add);
        onZooKeeper(session).ifPresent(rivals::add);
        return rivals;
    }

    private Optional<Rival> onRedis(Session session) {
        if (redis.isEmpty()) {
            session.enter(skipped(RedissonRival.contender("as Redis is configured"), "needs --redis"));
            return Optional.empty();
        }
        RedissonRival rival = new RedissonRival(redis.get(), session.bench().name(""));
        try {
            session.enter(RedissonRival.contender(rival.durability()));
            return Optional.of(rival);
        } catch (RuntimeException e) {
            session.enter(skipped(RedissonRival.contender("as Redis is configured"), "no Redis answers at --redis"));
            return Optional.empty();
        }
    }

    private Optional<Rival> onZooKeeper(Session session) {
        if (zookeeper.isEmpty()) {
            session.enter(skipped(CuratorRival.CONTENDER, "needs --zookeeper"));
            return Optional.empty();
        }
        CuratorRival rival = new CuratorRival(zookeeper.get(), session.bench().name("locks"));
        try {
            rival.requireAnswer();
            session.enter(CuratorRival.CONTENDER);
            return Optional.of(rival);
        } catch (RuntimeException e) {
            session.enter(skipped(CuratorRival.CONTENDER, "no ZooKeeper answers at --zookeeper"));
            return Optional.empty();
        }
    }

    private static Contender skipped(Contender contender, String reason) {
        return contender.with(Verdict.skipped(reason));
    }
}
