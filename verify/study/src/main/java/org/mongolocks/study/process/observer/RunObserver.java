package org.mongolocks.study.process.observer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.history.Recorder;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.GrantToken;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * The observer of one run: it owns the resources, records what the children report, and adds the faults. Thread-safe.
 *
 * <p>No server reports in which order it granted the lock. The fencing token is used instead of the position of the
 * deciding command that the simulator has. For a technique without tokens stale writes cannot be detected; lost updates
 * can. The order of a release among the grants is unknown too, so that the release of another owner's lock shows only
 * by its consequence, two holders at the same time.
 */
public final class RunObserver implements ChildObserver {
    private final long originNanos;
    private final int firstNumber;
    private final Recorder own = new Recorder(System::nanoTime);
    private final ProtectedResources resources = new ProtectedResources(own, 0);
    private final List<Event> childEvents = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> touches = new HashMap<>();
    private final Map<Integer, Integer> grants = new HashMap<>();
    /** The requests of workers before the lock may be acquired. */
    private final List<IntConsumer> early = new ArrayList<>();

    private final boolean hasTokens;
    private boolean isOpen;
    private Optional<RunFailedException> failure = Optional.empty();

    public RunObserver(boolean hasTokens) {
        this(hasTokens, System.nanoTime(), 1);
    }

    private RunObserver(boolean hasTokens, long originNanos, int firstNumber) {
        this.hasTokens = hasTokens;
        this.originNanos = originNanos;
        this.firstNumber = firstNumber;
    }

    /**
     * Returns an observer that continues this one, at a time when no acquisition is in progress. It has unused
     * resources, and of the events of children those of some grants, and the faults of their processes.
     */
    public synchronized RunObserver successor(Set<Integer> keptGrants) {
        RunObserver next = new RunObserver(hasTokens, originNanos, firstNumber + numbers.size());
        Set<Integer> processes = childEvents.stream()
                .filter(event -> keptGrants.contains(event.grant()))
                .map(Event::process)
                .collect(Collectors.toSet());
        childEvents.stream()
                .filter(event -> keptGrants.contains(event.grant())
                        || (event.grant() == 0 && processes.contains(event.process())))
                .forEach(next.childEvents::add);
        return next;
    }

    @Override
    public synchronized void record(int child, Event event) {
        boolean isGrant = event.is(Op.ACQUIRE, Phase.OK);
        childEvents.add(new Event(
                0,
                event.atNanos(),
                child,
                event.op(),
                event.phase(),
                event.grant() == 0 ? 0 : number(child, event.grant()),
                event.token(),
                isGrant ? order(event.token()) : 0,
                event.fromNanos(),
                event.untilNanos(),
                event.value(),
                event.note()));
        if (isGrant) {
            grants.merge(child, 1, Integer::sum);
        }
        notifyAll();
    }

    @Override
    public synchronized ProtectedResources.Values read(int child, GrantToken grantToken) {
        ProtectedResources.Values values = resources.read(user(child, grantToken));
        touches.merge(child, 1, Integer::sum);
        notifyAll();
        return values;
    }

    @Override
    public synchronized void write(int child, GrantToken grantToken, ProtectedResources.Values read) {
        resources.write(user(child, grantToken), read);
        notifyAll();
    }

    /** There is one lock, which no worker gets before {@link #opens}. */
    @Override
    public synchronized void next(int child, ChildMessage.Next asked, IntConsumer answer) {
        if (isOpen) {
            answer.accept(0);
        } else {
            early.add(answer);
        }
    }

    /** Lets workers acquire the lock. */
    public synchronized void opens() {
        isOpen = true;
        early.forEach(answer -> answer.accept(0));
        early.clear();
    }

    @Override
    public void measured(int child, ChildMessage.Usage usage) {}

    @Override
    public void ended(int child, ChildMessage.Bye bye) {}

    @Override
    public void gone(int child) {}

    /** Records a fault of a process, or of the server, whose number is 0. */
    public synchronized void recordFault(int process, Op op, Phase phase, String what) {
        own.line(process, op, phase).note(what).add();
        notifyAll();
    }

    /** Fails this run; the first failure is kept. */
    @Override
    public synchronized void fail(RunFailedException e) {
        failure = failure.or(() -> Optional.of(e));
        notifyAll();
    }

    /** Wakes all waiters, so that they check their conditions. */
    @Override
    public synchronized void changed() {
        notifyAll();
    }

    /** Returns the number of grants. */
    public synchronized int grants() {
        return grants.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the number of grants of a child. */
    public synchronized int grantsOf(int child) {
        return grants.getOrDefault(child, 0);
    }

    /** Returns how often other children have read the resources. */
    public synchronized int touchesOfOthers(int child) {
        return touches.entrySet().stream()
                .filter(one -> one.getKey() != child)
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public synchronized boolean await(BooleanSupplier condition, Duration limit) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (failure.isEmpty() && !condition.getAsBoolean()) {
            long leftNanos = deadlineNanos - System.nanoTime();
            if (leftNanos <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
        }
        requireNoFailure();
        return true;
    }

    public synchronized void requireNoFailure() {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** Returns what was recorded so far. */
    public synchronized History history(Duration ttl) {
        List<Event> all = new ArrayList<>(childEvents);
        all.addAll(own.history(ttl.toNanos()).events());
        return new HistoryMerger(originNanos).history(ttl, all);
    }

    private ProtectedResources.User user(int child, GrantToken grantToken) {
        return new ProtectedResources.User(
                child, number(child, grantToken.grant()), grantToken.token(), order(grantToken.token()));
    }

    private long order(long token) {
        return hasTokens ? token : 0;
    }

    private int number(int child, int grant) {
        return numbers.computeIfAbsent(child + "/" + grant, key -> firstNumber + numbers.size());
    }
}
