package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.LockName;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.driver.CommandExchange;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.net.Network.Purpose;

/** Counts the commands, grants and hand-overs of a run after its warm-up, without recording the commands. */
final class WaitingMeter implements WireTrace {
    private final WaitingCase its;
    private final LongSupplier now;
    private final Map<String, Long> commands = new TreeMap<>();
    private final Map<LockName, LockState> locks = new HashMap<>();
    private final Map<Integer, LockState> held = new HashMap<>();
    private final Map<Integer, Long> attempted = new HashMap<>();
    private final Map<Integer, Integer> grants = new HashMap<>();
    private final List<Long> handovers = new ArrayList<>();
    private long streamCommands;
    private long longestWaitNanos;

    /** An acquisition that waits. */
    record Asked(LockState lock, int client, long atNanos) {}

    /** The acquisitions of a lock that wait, and its last release. */
    static final class LockState {
        private final Set<Asked> waiting = new LinkedHashSet<>();
        private long releasedNanos = -1;
    }

    WaitingMeter(WaitingCase its, LongSupplier now) {
        this.its = its;
        this.now = now;
    }

    @Override
    public Sending sent(int client, int grant, CommandExchange.Order order, int sending) {
        if (order.purpose() != Purpose.WATCH) {
            return new Sending() {
                @Override
                public void executed() {
                    executedCommand(grant, order);
                }
            };
        }
        streamCommands += isMeasured() ? 1 : 0;
        return UNHEARD;
    }

    /** The last command on a lock grants it, or makes it free. */
    private void executedCommand(int grant, CommandExchange.Order order) {
        if (isMeasured()) {
            commands.merge(name(order.command()), 1L, Long::sum);
        }
        if (order.purpose() == Purpose.ACQUIRE && mayGrant(order)) {
            attempted.put(grant, now.getAsLong());
        } else if (order.purpose() == Purpose.RELEASE && held.containsKey(grant)) {
            LockState lock = held.get(grant);
            lock.releasedNanos = lock.waiting.isEmpty() ? -1 : now.getAsLong();
        }
    }

    /** Returns false for commands after a grant: the client leaves the queue of fair requests, or the waiting list. */
    private static boolean mayGrant(CommandExchange.Order order) {
        return !order.label().startsWith("queue/") && !order.label().endsWith("/unregister");
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
    Asked asks(LockName name, int client) {
        LockState lock = locks.computeIfAbsent(name, unknown -> new LockState());
        Asked asked = new Asked(lock, client, now.getAsLong());
        lock.waiting.add(asked);
        return asked;
    }

    /** Notes that a client knows that it holds a lock. */
    void granted(Asked asked, WorkerLock holding) {
        LockState lock = asked.lock();
        lock.waiting.remove(asked);
        if (isMeasured()) {
            grants.merge(asked.client(), 1, Integer::sum);
            noteWait(asked);
            if (lock.releasedNanos >= 0) {
                handovers.add(attempted.getOrDefault(holding.grant(), now.getAsLong()) - lock.releasedNanos);
            }
        }
        lock.releasedNanos = -1;
        held.put(holding.grant(), lock);
    }

    private void noteWait(Asked asked) {
        longestWaitNanos = Math.max(longestWaitNanos, now.getAsLong() - asked.atNanos());
    }

    /** Returns the result; acquisitions that still wait count for the longest wait. */
    WaitingResult result() {
        locks.values().forEach(lock -> lock.waiting.forEach(this::noteWait));
        Collections.sort(handovers);
        List<Integer> byClient = new ArrayList<>(grants.values());
        byClient.addAll(Collections.nCopies(its.clients() - byClient.size(), 0));
        Collections.sort(byClient);
        return new WaitingResult(its, commands, streamCommands, byClient, List.copyOf(handovers), longestWaitNanos);
    }
}
