package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.internal.base.Durations;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * A check of the clocks of all members or routers, each bounded by the shortest of several round trips. An election, or
 * a change of router, changes which of them judges a lease; so they must agree with each other. Their difference to
 * this machine does not matter for a lock. The members of shards, whose time grants store, cannot be asked through a
 * router.
 */
final class ClockCheck extends Check {
    private static final int ROUND_TRIPS = 7;
    /** The default skew margin of a client for a ttl of 30 seconds. */
    private static final Duration MARGIN = Duration.ofMillis(40);

    /** More than any skew margin should cover. */
    private static final Duration TOO_FAR = Duration.ofSeconds(1);

    /**
     * The bounds of how far a server's clock is ahead of this machine's clock, at the moment of one reply.
     *
     * @param least the least possible offset; negative if the server's clock may be behind
     * @param most the largest possible offset
     */
    record Offset(Duration least, Duration most) {
        /** Servers truncate their time to milliseconds. */
        private static final Duration GRANULARITY = Duration.ofMillis(1);

        /** Returns the offset in the middle of the bounds. */
        Duration middle() {
            return least.plus(uncertainty());
        }

        /** Returns the largest error of {@link #middle()}. */
        Duration uncertainty() {
            return most.minus(least).dividedBy(2);
        }

        /** Returns the least difference of two offsets, wherever they are within their bounds. */
        Duration distanceTo(Offset other) {
            return Durations.longer(Duration.ZERO, Durations.longer(least.minus(other.most), other.least.minus(most)));
        }
    }

    ClockCheck() {
        super("clocks", Promise.EXCLUSION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        Map<String, Offset> offsets = new TreeMap<>();
        List<CheckResult> findings = new ArrayList<>();
        for (ServerAddress server : deployment.servers()) {
            try (MongoClient client = deployment.connectTo(server)) {
                offsets.put(server.toString(), offset(client.getDatabase("admin")));
            } catch (MongoException e) {
                findings.add(unseen(deployment, server + " gave no reply: " + Errors.text(e)));
            }
        }
        judge(offsets, ServerCheck.having(deployment, Trait.SERVER_CLOCK), deployment.names())
                .ifPresent(findings::add);
        return findings.stream();
    }

    /** Judges the offsets of all servers that replied. */
    Optional<CheckResult> judge(Map<String, Offset> offsets, Set<String> byServerClock, Set<String> all) {
        Duration apart = apart(offsets.values().stream().toList());
        if (offsets.isEmpty()) {
            return Optional.empty();
        }
        if (apart.compareTo(MARGIN) <= 0 || byServerClock.isEmpty()) {
            return Optional.of(finding(Status.OK, all, text(offsets)));
        }
        Status status = apart.compareTo(TOO_FAR) > 0 ? Status.BROKEN : Status.WARNING;
        return Optional.of(finding(
                        status,
                        byServerClock,
                        text(offsets) + "; that is at least " + millis(apart)
                                + " apart, by which a lease can end early at an election or at another router")
                .advise(
                        "Synchronize the clocks of all members and routers (NTP that slews and does not step); until then"
                                + " set a skewMargin of more than " + millis(apart)
                                + ", or use the strategy optimistic-version-clock-free."));
    }

    private static Offset offset(MongoDatabase admin) {
        return Stream.generate(() -> once(admin))
                .limit(ROUND_TRIPS)
                .min(Comparator.comparing(Offset::uncertainty))
                .orElseThrow();
    }

    private static Offset once(MongoDatabase admin) {
        Instant sent = Instant.now();
        long sentNanos = System.nanoTime();
        BsonDocument hello = Deployment.hello(admin);
        Duration roundTrip = Duration.ofNanos(System.nanoTime() - sentNanos);
        Instant server = Instant.ofEpochMilli(hello.getDateTime("localTime").getValue());
        Duration ahead = Duration.between(sent, server);
        return new Offset(ahead.minus(roundTrip), ahead.plus(Offset.GRANULARITY));
    }

    /** Returns the largest distance of two of them, wherever they are within their bounds. */
    private static Duration apart(List<Offset> offsets) {
        return offsets.stream()
                .flatMap(one -> offsets.stream().map(one::distanceTo))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static String text(Map<String, Offset> offsets) {
        return "ahead of this machine: "
                + offsets.entrySet().stream()
                        .map(entry -> entry.getKey() + " by "
                                + millis(entry.getValue().middle()) + " ± "
                                + millis(entry.getValue().uncertainty()))
                        .collect(Collectors.joining(", "));
    }

    private static String millis(Duration duration) {
        return duration.toMillis() + " ms";
    }
}
