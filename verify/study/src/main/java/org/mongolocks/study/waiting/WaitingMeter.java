package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
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
    private final Set<Integer> dead = new HashSet<>();
    private final List<Long> handovers = new ArrayList<>();
    private long streamCommands;
    private long longestWaitNanos;

    /** An acquisition that waits. */
    record Asked(LockState lock, int client, long atNanos) {}

    /**
     * The acquisitions of a lock that wait, and since when it has been free while one waits: since its last release, or, once
     * clients have died, since the first began to wait after that.
     */
    static final class LockState {
        private final Set<Asked> waiting = new LinkedHashSet<>();
        private long releasedNanos = -1;
        private boolean isFree;
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
            lock.isFree = true;
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
        if (!dead.isEmpty() && lock.isFree && lock.waiting.isEmpty()) {
            lock.releasedNanos = now.getAsLong();
        }
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
        lock.isFree = false;
        lock.releasedNanos = -1;
        held.put(holding.grant(), lock);
    }

    /** Returns the clients that still wait for the lock of an acquisition, in the order in which they began. */
    List<Integer> waitingFor(Asked asked) {
        return asked.lock().waiting.stream().map(Asked::client).toList();
    }

    /** Notes that a client has died while it waited. It no longer counts, but for what it costs the others. */
    void died(int client) {
        dead.add(client);
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
                .filter(lock -> lock.releasedNanos >= 0)
                .map(lock -> now.getAsLong() - lock.releasedNanos)
                .filter(WaitingResult::isPause)
                .forEach(handovers::add);
        Collections.sort(handovers);
        List<Integer> byClient = new ArrayList<>(grants.values());
        byClient.addAll(Collections.nCopies(its.clients() - dead.size() - byClient.size(), 0));
        Collections.sort(byClient);
        return new WaitingResult(
                its, commands, streamCommands, byClient, dead.size(), List.copyOf(handovers), longestWaitNanos);
    }
}
