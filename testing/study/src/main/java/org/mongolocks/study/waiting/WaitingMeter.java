package org.mongolocks.study.waiting;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.driver.CommandExchange;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.net.Network.Purpose;

/** Counts the commands, grants and hand-overs of a run after its warm-up, without recording the commands. */
final class WaitingMeter implements WireTrace {
    /** A minimum hold begins when its client sends its command, or a message later. */
    private static final long MESSAGE_NANOS = Environment.DELAY.mostNanos();

    private final WaitingCase its;
    private final LongSupplier now;
    private final Map<String, Long> commands = new TreeMap<>();
    private final Map<LockName, LockState> locks = new HashMap<>();
    private final Map<Integer, LockState> held = new HashMap<>();
    private final Map<Integer, Long> attempted = new HashMap<>();
    private final Map<Integer, Integer> grants = new HashMap<>();
    private final List<Long> handovers = new ArrayList<>();
    private long streamCommands;
    private long streamNanos;
    private long overtakings;
    private long longestWaitNanos;

    /** An acquisition that waits. */
    record Asked(LockState lock, int client, LockRequest request, long atNanos) {}

    /**
     * The acquisitions of a lock that wait, in the order in which they began, and the time from which they could have it: that
     * of its release, or of the end of its lease.
     */
    static final class LockState {
        private final Set<Asked> waiting = new LinkedHashSet<>();
        private long grantedNanos;
        private long ttlNanos;
        private long minimumNanos;
        private long freeNanos;
    }

    WaitingMeter(WaitingCase its, LongSupplier now) {
        this.its = its;
        this.now = now;
    }

    @Override
    public Sending sent(int client, int grant, CommandExchange.Order order, int sending) {
        boolean isOfStream = order.purpose() == Purpose.WATCH;
        streamCommands += isOfStream && isMeasured() ? 1 : 0;
        return new Sending() {
            private long executedNanos;

            @Override
            public void executed() {
                executedNanos = now.getAsLong();
                if (!isOfStream) {
                    executedCommand(grant, order);
                }
            }

            @Override
            public void replied(Optional<Document> reply) {
                if (isOfStream && isMeasured()) {
                    streamNanos += now.getAsLong()
                            - Math.max(executedNanos, its.warmUp().toNanos());
                }
            }
        };
    }

    /** The last command on a lock grants it, extends its lease, or makes it free. */
    private void executedCommand(int grant, CommandExchange.Order order) {
        if (isMeasured()) {
            commands.merge(name(order.command()), 1L, Long::sum);
        }
        if (order.purpose() == Purpose.ACQUIRE) {
            attempted.put(grant, now.getAsLong());
        }
        LockState lock = held.get(grant);
        if (lock != null && order.purpose() == Purpose.RELEASE) {
            lock.freeNanos = Math.max(now.getAsLong(), lock.grantedNanos + lock.minimumNanos);
        } else if (lock != null && order.purpose() == Purpose.RENEW && now.getAsLong() < lock.freeNanos) {
            lock.freeNanos = now.getAsLong() + lock.ttlNanos;
        }
    }

    private static String name(BsonDocument command) {
        BsonValue target = command.get(command.getFirstKey());
        return command.getFirstKey()
                + (target != null && target.isString() ? " " + target.asString().getValue() : "");
    }

    private boolean isMeasured() {
        return now.getAsLong() >= its.warmUp().toNanos();
    }

    /** Notes that a client begins to acquire a lock. */
    Asked asks(LockRequest request, int client) {
        LockState lock = locks.computeIfAbsent(request.name(), unknown -> new LockState());
        Asked asked = new Asked(lock, client, request, now.getAsLong());
        lock.waiting.add(asked);
        grants.putIfAbsent(client, 0);
        return asked;
    }

    /** Notes that a client knows that it holds a lock. */
    void granted(Asked asked, WorkerLock holding) {
        LockState lock = asked.lock();
        long at = attempted.getOrDefault(holding.grant(), now.getAsLong());
        if (at + MESSAGE_NANOS < lock.freeNanos) {
            throw new IllegalStateException("Granted to two, " + (lock.freeNanos - at) + " ns too early: " + asked);
        }
        if (isMeasured()) {
            grants.merge(asked.client(), 1, Integer::sum);
            noteWait(asked);
            awaitedSince(lock).ifPresent(since -> handovers.add(Math.max(0, at - since)));
            overtakings += lock.waiting.iterator().next().equals(asked) ? 0 : 1;
        }
        lock.waiting.remove(asked);
        held.values().remove(lock);
        held.put(holding.grant(), lock);
        lock.grantedNanos = at;
        lock.ttlNanos = asked.request().ttl().toNanos();
        lock.minimumNanos = asked.request().minimumHold().toNanos();
        lock.freeNanos = at + lock.ttlNanos;
    }

    /**
     * Returns since when a lock has been free, while one waited that still does. Where waiters leave, those that began to
     * wait after the release count too.
     */
    private OptionalLong awaitedSince(LockState lock) {
        OptionalLong first = lock.waiting.stream().mapToLong(Asked::atNanos).findFirst();
        boolean isCounted = first.isPresent()
                && lock.grantedNanos > 0
                && (first.getAsLong() <= lock.freeNanos || its.load().isOfLeaving());
        return isCounted ? OptionalLong.of(Math.max(first.getAsLong(), lock.freeNanos)) : OptionalLong.empty();
    }

    /** Notes that an acquisition has ended without the lock. */
    void gaveUp(Asked asked) {
        asked.lock().waiting.remove(asked);
    }

    /** Returns the clients that still wait for the lock of an acquisition, in the order in which they began. */
    List<Integer> waitingFor(Asked asked) {
        return asked.lock().waiting.stream().map(Asked::client).toList();
    }

    /** Notes that a client has died while it waited. It no longer counts, but for what it costs the others. */
    void died(int client) {
        grants.remove(client);
        locks.values().forEach(lock -> lock.waiting.removeIf(asked -> asked.client() == client));
    }

    private void noteWait(Asked asked) {
        longestWaitNanos = Math.max(longestWaitNanos, now.getAsLong() - asked.atNanos());
    }

    /** Returns the result; acquisitions that still wait count for the longest wait, and a pause that has not ended too. */
    WaitingResult result() {
        locks.values().forEach(lock -> lock.waiting.forEach(this::noteWait));
        locks.values().stream()
                .flatMapToLong(lock -> awaitedSince(lock).stream())
                .map(since -> now.getAsLong() - since)
                .filter(WaitingResult::isPause)
                .forEach(handovers::add);
        Collections.sort(handovers);
        return new WaitingResult(
                its,
                commands,
                new WaitingResult.Streams(streamCommands, streamNanos),
                Map.copyOf(grants),
                List.copyOf(handovers),
                longestWaitNanos,
                overtakings);
    }
}
