package org.mongolocks.study.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.process.fault.Fault;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.sim.Simulation.Outcome;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;

/**
 * A run of client processes under the faults of its plan. When the faults have ended, all clients are stopped, and a client
 * without faults must be able to acquire each lock.
 */
public final class ProcessRun implements AutoCloseable {
    /** The starts of more processes at once would slow each other down. */
    private static final int STARTS_AT_ONCE = 8;

    private static final Duration BEGINNING = ChildMain.START_LIMIT.multipliedBy(3);
    private static final Duration SOON = Duration.ofSeconds(30);
    /** A statement that arrives late begins a transaction that is never ended; the server aborts it after 60 s. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(70);

    /** How many grants a scenario has after its fault, if there are any in the time after it. */
    private static final int GRANTS = 10;
    /** How many of all grants are those of a client with a wrong clock; otherwise the run shows nothing. */
    private static final int GRANTS_OF_ONE = 3;

    /** How long a run lasts beyond a lease, if there are not enough grants. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(14);

    private static final int MEGABYTE = 20;
    private static final int READINGS = 60;
    private static final long MIN_READING_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** How many sessions, cursors and connections a worker may open without being a leak. */
    private static final int PER_WORKER = 4;

    private final RunPlan plan;
    private final TestDatabase database;
    private final Consumer<String> log;
    private final Judge judge = new Judge();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, LivenessProbe> probes = new HashMap<>();
    private final List<LockHistory> locks = new ArrayList<>();
    /** The process of each client. */
    private final Map<Integer, Child> clients = new ConcurrentHashMap<>();

    /** All processes, also those that have ended. */
    private final List<Child> children = new CopyOnWriteArrayList<>();

    private final RunObserver observer;
    private final FaultInjector faults;
    private final Iterator<Fault.Timed> planned;
    private long begunNanos;
    private int readings;
    private volatile boolean isEnding;

    private ProcessRun(RunPlan plan, TestDatabase database, Consumer<String> log) {
        this.plan = plan;
        this.database = database;
        this.log = log;
        for (Column technique : plan.techniques()) {
            places.put(technique.name(), database.newPlace(technique));
            IntStream.range(0, plan.locks()).forEach(i -> locks.add(new LockHistory(locks.size() + 1, technique)));
        }
        this.observer = new RunObserver(locks, judge, plan.seed());
        this.faults = new FaultInjector(plan, database, this);
        this.planned = plan.faults();
    }

    /**
     * Runs a soak to the end, and closes everything that it has opened. A client that exits unexpectedly ends the run.
     *
     * @param log called with lines about the progress
     */
    public static RunResult soak(RunPlan plan, TestDatabase database, Consumer<String> log)
            throws InterruptedException {
        return soakUntil(plan, database, log, judge -> false);
    }

    /** Runs a soak until a condition holds, or to the end. */
    static RunResult soakUntil(RunPlan plan, TestDatabase database, Consumer<String> log, Predicate<Judge> enough)
            throws InterruptedException {
        ProcessRun run = new ProcessRun(plan, database, log);
        try (run) {
            run.begin();
            run.soak(() -> enough.test(run.judge));
            run.calm();
            run.stop();
            run.check();
            run.findLeaks();
        } catch (RunFailedException e) {
            run.judge.failed(String.valueOf(e.getMessage()));
        }
        return run.judge.result();
    }

    /**
     * Runs a scenario once.
     *
     * @throws RunFailedException if the run shows nothing, for example because its fault did not occur
     */
    static Outcome scenario(RunPlan plan, TestDatabase database) throws InterruptedException {
        try (ProcessRun run = new ProcessRun(plan, database, line -> {})) {
            run.begin();
            run.inject(plan.length(), run::isEnough);
            run.faults.requireHit();
            // A holder that was hit late: until there were enough grants after it.
            run.observer.await(run::isEnough, plan.length());
            run.faults.end();
            run.stop();
            return run.outcome();
        }
    }

    private void begin() throws InterruptedException {
        for (Column technique : plan.techniques()) {
            probes.put(
                    technique.name(),
                    new LivenessProbe(
                            place(technique), technique, event -> lock(event).record(plan.probe(), event)));
        }
        if (plan.clockOf(0).isPresent()) {
            observer.recordFault(
                    1, Op.FAULT, Phase.INFO, plan.scenario().orElseThrow().about());
        }
        for (int first = 0; first < plan.clients(); first += STARTS_AT_ONCE) {
            begin(first, Math.min(first + STARTS_AT_ONCE, plan.clients()));
        }
        plan.techniques().forEach(technique -> database.prepare(place(technique), technique));
        observer.setState(RunObserver.State.OPEN);
        faults.locksOpened();
        begunNanos = System.nanoTime();
    }

    private LockHistory lock(Event event) {
        return locks.get(event.lock() - 1);
    }

    private void begin(int from, int until) throws InterruptedException {
        List<Child> some = IntStream.range(from, until).mapToObj(this::start).toList();
        if (!observer.await(() -> some.stream().allMatch(Child::hasBegun), BEGINNING)) {
            throw new RunFailedException("The clients did not start within " + BEGINNING);
        }
        log.accept(until + " clients have started");
    }

    private synchronized Child start(int client) {
        Child child = Child.start(plan.numberOf(children.size()), observer, faults, plan.clockOf(client));
        children.add(child);
        clients.put(client, child);
        for (Column technique : plan.techniquesOf(client)) {
            child.send(new ParentMessage.Start(
                    place(technique).through(faults.port(client)),
                    technique instanceof Library,
                    technique.name(),
                    plan.driverOf(client),
                    RunPlan.WORKERS,
                    plan.isSoak(),
                    plan.seed() * plan.clients() + child.number()));
        }
        return child;
    }

    RunObserver observer() {
        return observer;
    }

    Judge judge() {
        return judge;
    }

    /** Returns the process of a client, if it is running. */
    Optional<Child> client(int client) {
        return Optional.ofNullable(clients.get(client)).filter(Child::hasBegun);
    }

    /** Replaces a client of a soak that was killed. */
    void killed(Child killed) {
        killed.close();
        clients.forEach((client, process) -> {
            if (process == killed && plan.isSoak()) {
                restart(client);
            }
        });
    }

    private synchronized void restart(int client) {
        if (!isEnding) {
            start(client);
        }
    }

    /** Injects faults, and checks the locks after each part. */
    private void soak(BooleanSupplier enough) throws InterruptedException {
        long end = System.nanoTime() + plan.length().minus(plan.calm()).toNanos();
        for (long left = end - System.nanoTime(); left > 0 && !enough.getAsBoolean(); left = end - System.nanoTime()) {
            inject(Duration.ofNanos(Math.min(left, plan.part().toNanos())), enough);
            faults.end();
            observer.setState(RunObserver.State.CLOSED);
            if (!observer.await(observer::isIdle, BEGINNING)) {
                throw new RunFailedException("The workers did not end their work within " + BEGINNING);
            }
            check();
            observer.setState(RunObserver.State.OPEN);
        }
    }

    /** Injects faults until a condition holds, or a time has passed. */
    private void inject(Duration length, BooleanSupplier enough) throws InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < length.toNanos()) {
            Optional<Fault.Timed> next = planned.hasNext() ? Optional.of(planned.next()) : Optional.empty();
            if (observer.await(enough, next.map(Fault.Timed::after).orElse(length))) {
                return;
            }
            next.ifPresent(timed -> faults.inject(timed.fault()));
            measure();
        }
    }

    /** Returns whether there were enough grants since a scenario's fault, or none are to be expected any more. */
    private boolean isEnough() {
        FaultInjector.Hit last = faults.lastHit();
        Duration afterwards = plan.techniques().get(0).ttl().plus(AFTERWARDS);
        boolean isLate = System.nanoTime() - last.atNanos() > afterwards.toNanos();
        boolean hasTakenPart = plan.clockOf(0).isEmpty() || observer.grantsOf(1) >= GRANTS_OF_ONE;
        return !faults.isPending() && (isLate || (observer.grants() >= last.grants() + GRANTS && hasTakenPart));
    }

    /** Asks the clients of a soak for their memory and threads, if it is time. */
    private void measure() {
        long since = System.nanoTime() - begunNanos;
        long reading = Math.max(MIN_READING_NANOS, plan.length().toNanos() / READINGS);
        if (!plan.isSoak() || since < reading * (readings + 1)) {
            return;
        }
        readings++;
        children.forEach(child -> child.send(new ParentMessage.Measure()));
        Runtime runtime = Runtime.getRuntime();
        RunResult result = judge.result();
        log.accept(TimeUnit.NANOSECONDS.toSeconds(since) + " s: " + sum(result.grants()) + " grants, "
                + sum(result.faults()) + " faults, "
                + result.violations() + " violations; heap "
                + ((runtime.totalMemory() - runtime.freeMemory()) >> MEGABYTE)
                + " MB here, at most " + (result.largestClientHeapBytes() >> MEGABYTE) + " MB in a client");
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Compares the use of the server after half of the time without faults and at its end. */
    private void calm() throws InterruptedException {
        Duration half = plan.calm().dividedBy(2);
        observer.await(() -> false, half);
        ServerUse before = ServerUse.of(database.mongo());
        observer.await(() -> false, half);
        before.grownBy((long) PER_WORKER * plan.workers(), ServerUse.of(database.mongo()))
                .forEach(judge::leaks);
    }

    private void stop() throws InterruptedException {
        isEnding = true;
        faults.finish();
        observer.setState(RunObserver.State.OVER);
        children.forEach(child -> child.send(new ParentMessage.Stop()));
        if (!observer.await(() -> children.stream().allMatch(Child::hasEnded), BEGINNING)) {
            throw new RunFailedException("The clients did not exit within " + BEGINNING);
        }
    }

    private Outcome outcome() throws InterruptedException {
        LockHistory lock = locks.get(0);
        probe(lock);
        observer.requireNoFailure();
        History history = lock.history();
        boolean wasHarmed = history.events().stream().anyMatch(event -> event.op() == Op.FAULT);
        if (plan.needsFault() && !wasHarmed) {
            throw new RunFailedException("There was no fault of the network or the server "
                    + judge.result().faultsNotInjected().values());
        }
        long commands = children.stream().mapToLong(Child::commands).sum();
        return new Outcome(history, commands, 0, history.events().size());
    }

    private void findLeaks() throws InterruptedException {
        for (Column technique : plan.techniques()) {
            probeOf(technique)
                    .awaited()
                    .forEach(lock -> judge.leaks(technique.name() + ": a waiter is left in the list of " + lock));
        }
        if (!observer.await(() -> !faults.hasConnections(), SOON)) {
            judge.leaks("connections of closed clients are left");
        }
        judge.usage().grown().forEach(judge::leaks);
        observer.requireNoFailure();
    }

    /** Checks each unused lock, several at a time. */
    private void check() {
        locks.parallelStream().forEach(lock -> {
            try {
                check(lock);
            } catch (InterruptedException | RuntimeException e) {
                throw new RunFailedException("Lock " + lock.number() + " could not be checked: " + e, e);
            }
        });
    }

    /** Checks that a lock can be acquired, and its history. */
    private void check(LockHistory lock) throws InterruptedException {
        judge.probed(lock, probe(lock));
        for (CounterExample example : lock.cut()) {
            if (judge.found(lock, example)) {
                log.accept(example.violation().finding() + " of "
                        + lock.technique().name());
            }
        }
    }

    private LivenessProbe.Outcome probe(LockHistory lock) throws InterruptedException {
        boolean mayBeOrphaned = plan.isSoak() && lock.isTransactional();
        Duration limit = mayBeOrphaned
                ? TRANSACTION_LIFETIME
                : LivenessProbe.limit(lock.technique().ttl());
        return probeOf(lock.technique()).probe(lock.number(), limit.plus(faults.electionTime()));
    }

    private LivenessProbe probeOf(Column technique) {
        return Objects.requireNonNull(probes.get(technique.name()));
    }

    private Place place(Column technique) {
        return Objects.requireNonNull(places.get(technique.name()));
    }

    @Override
    public void close() {
        faults.close();
        // No other child is started after these.
        synchronized (this) {
            isEnding = true;
            children.forEach(Child::close);
        }
        probes.values().forEach(LivenessProbe::close);
    }
}
