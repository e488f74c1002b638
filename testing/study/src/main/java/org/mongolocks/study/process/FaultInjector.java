package org.mongolocks.study.process;

import com.mongodb.MongoException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.fault.ConnectionFault;
import org.mongolocks.study.process.fault.Fault;
import org.mongolocks.study.process.fault.Fault.Signal;
import org.mongolocks.study.sim.config.FaultPoint;

/** Injects the faults of a plan into the processes, the connections and the primary. One thread injects faults. */
final class FaultInjector implements Child.PointListener, AutoCloseable {
    private static final String STEP_DOWN = "PRIMARY_STEP_DOWN";
    /**
     * How long a connection is faulty at most. The checker expects that a request that is held meanwhile has been
     * executed three leases after its client has given up.
     */
    private static final long MAX_FAULT_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestDatabase database;
    private final RunObserver observer;
    private final Judge judge;
    private final ProcessRun run;
    private final List<FaultProxy> routes = new ArrayList<>();
    /** When the fault of a route began. */
    private final Map<FaultProxy, Long> begun = new HashMap<>();

    private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();
    private final Set<Child> killedOrPaused = ConcurrentHashMap.newKeySet();
    private final ExecutorService tasks = Executors.newCachedThreadPool();
    private final AtomicBoolean isSteppingDown = new AtomicBoolean();
    private volatile boolean hasSteppedDown;
    private volatile Hit lastHit = new Hit(System.nanoTime(), 0);

    /** When a holder was hit, or the end of its long work, and how many grants there were until the hit. */
    record Hit(long atNanos, int grants) {}

    /** A fault for a holder at a fault point. */
    private record Armed(Fault.AtPoint fault, AtomicInteger left) {}

    /** Opens the proxies of a run. */
    FaultInjector(RunPlan plan, TestDatabase database, ProcessRun run) {
        this.database = database;
        this.run = run;
        this.observer = run.observer();
        this.judge = run.judge();
        IntStream.range(0, plan.routes()).forEach(i -> routes.add(FaultProxy.before(database.primary())));
    }

    /** Returns the port of the proxy of a client; 0 if there is none. */
    int port(int client) {
        return routes.isEmpty()
                ? 0
                : routes.get(client % routes.size()).address().getPort();
    }

    /** Returns whether a client is connected through a proxy. */
    boolean hasConnections() {
        return routes.stream().anyMatch(route -> route.connections() > 0);
    }

    /** Called when the locks can be acquired. */
    void locksOpened() {
        lastHit = new Hit(System.nanoTime(), 0);
    }

    /** Returns whether a holder is still to be hit, or is being hit. */
    boolean isPending() {
        return armed.get() != null;
    }

    /** Returns when a holder was hit last; without a hit, when the locks could be acquired. */
    Hit lastHit() {
        return lastHit;
    }

    /** Checks that the holder was hit, or is being hit. */
    void requireHit() {
        Armed current = armed.get();
        if (current != null && current.left().get() >= 0) {
            throw new RunFailedException("The fault of a holder did not occur in time");
        }
    }

    /** Returns how long the server may have had no primary; zero if none stepped down. */
    Duration electionTime() {
        return hasSteppedDown ? database.electionTime() : Duration.ZERO;
    }

    void inject(Fault fault) {
        begun.entrySet().removeIf(one -> endsByAge(one.getKey(), one.getValue()));
        if (fault instanceof Fault.StepDown && !isSteppingDown.getAndSet(true)) {
            inBackground("The step-down of the primary failed", this::stepDown);
        } else if (fault instanceof Fault.AtPoint atPoint) {
            armed.set(new Armed(atPoint, new AtomicInteger(atPoint.spared())));
        } else if (fault instanceof Fault.OfClient ofClient) {
            run.client(ofClient.client())
                    .ifPresent(child -> inBackground(
                            "Client " + child.number() + " could not be hit", () -> send(ofClient.signal(), child)));
        } else if (fault instanceof Fault.OfRoute ofRoute) {
            inject(ofRoute);
        }
    }

    private void inject(Fault.OfRoute fault) {
        FaultProxy route = routes.get(fault.route());
        if (fault.fault().isEmpty()) {
            route.heal();
            return;
        }
        ConnectionFault kind = fault.fault().get();
        judge.fault(kind.name());
        begun.put(route, System.nanoTime());
        kind.begin(route, fault.commands(), what -> observer.recordFault(0, Op.FAULT, Phase.INFO, what));
    }

    private static boolean endsByAge(FaultProxy route, long beganNanos) {
        boolean isOld = System.nanoTime() - beganNanos > MAX_FAULT_NANOS;
        if (isOld) {
            route.heal();
        }
        return isOld;
    }

    @Override
    public Duration reached(Child child, FaultPoint point) throws InterruptedException {
        Armed current = armed.get();
        if (current != null
                && current.fault().point() == point
                && current.left().getAndDecrement() == 0) {
            Duration work = current.fault().work();
            if (current.fault().signal().isPresent()) {
                send(current.fault().signal().get(), child);
            }
            lastHit = new Hit(System.nanoTime() + work.toNanos(), observer.grants());
            armed.compareAndSet(current, null);
            return work;
        }
        return Duration.ZERO;
    }

    /** A process that is killed or paused already is left alone. */
    private void send(Signal signal, Child child) throws InterruptedException {
        if (!killedOrPaused.add(child)) {
            return;
        }
        if (signal.isKill()) {
            kill(child);
        } else {
            pause(signal, child);
            killedOrPaused.remove(child);
        }
    }

    /** Recorded before the kill: what the process has reported until then is later in the history, but counts. */
    private void kill(Child child) {
        judge.fault("KILL");
        observer.recordFault(child.number(), Op.CRASH, Phase.OK, "SIGKILL");
        child.kill();
        inBackground("Client " + child.number() + " could not be replaced", () -> run.killed(child));
    }

    /** Recorded as slightly longer than it is, so that no event of the process falls into its pause in the history. */
    private void pause(Signal signal, Child child) throws InterruptedException {
        judge.fault("PAUSE");
        int number = child.number();
        int before = observer.readsOfOthers(number);
        observer.recordFault(number, Op.PAUSE, Phase.INVOKE, "SIGSTOP");
        child.suspend();
        try {
            observer.await(() -> signal.endsWithTakeover() && observer.readsOfOthers(number) > before, signal.pause());
        } finally {
            child.resume();
            observer.recordFault(number, Op.PAUSE, Phase.OK, "SIGCONT");
        }
    }

    /** One at a time, and none after one that the server refused. */
    private void stepDown() throws InterruptedException {
        Optional<String> refusal = database.stepDown();
        if (refusal.isPresent()) {
            judge.notInjected(STEP_DOWN, refusal.get());
            return;
        }
        hasSteppedDown = true;
        judge.fault(STEP_DOWN);
        observer.recordFault(0, Op.FAULT, Phase.INFO, "the primary steps down");
        if (!observer.await(this::redirect, database.electionTime().plus(SOON))) {
            throw new RunFailedException("No primary was elected");
        }
        isSteppingDown.set(false);
    }

    /** Lets all proxies forward to the primary; returns false if there is none. */
    private boolean redirect() {
        try {
            InetSocketAddress primary = database.primary();
            routes.forEach(route -> route.redirect(primary));
            return true;
        } catch (RunFailedException | MongoException e) {
            return false;
        }
    }

    /** An action on processes or the server. */
    private interface Task {
        void run() throws InterruptedException;
    }

    private void inBackground(String otherwise, Task task) {
        tasks.execute(() -> {
            try {
                task.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                observer.fail(new RunFailedException(otherwise + ": " + e, e));
            }
        });
    }

    /** Ends all faults. */
    void end() {
        armed.set(null);
        routes.forEach(FaultProxy::heal);
    }

    /** Waits until what runs in the background has ended. */
    void finish() throws InterruptedException {
        tasks.shutdown();
        if (!tasks.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new RunFailedException("A fault did not end within " + LIMIT);
        }
    }

    @Override
    public void close() {
        tasks.shutdownNow();
        routes.forEach(FaultProxy::close);
    }
}
