package org.mongolocks.study.process.soak;

import com.mongodb.MongoException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.example.CounterExample;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.process.child.ChildMain;
import org.mongolocks.study.process.child.LivenessProbe;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.parent.ChildGroup;
import org.mongolocks.study.process.parent.ChildHandle;
import org.mongolocks.study.process.parent.TestDatabase;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;

/**
 * A run of many client processes under random faults. Killed clients are replaced. The last part of the run is without
 * faults; then all clients are stopped, and what is still held or open is a leak.
 */
public final class SoakRun implements FaultInjector.Targets {
    /** The number of the process that probes locks, in histories. */
    private static final int PROBE = 0;

    private static final String STEP_DOWN = "PRIMARY_STEP_DOWN";
    private static final int CHECKS_AT_ONCE = 4;
    /** The starts of more processes at once would slow each other down. */
    private static final int STARTS_AT_ONCE = 8;

    private static final int MAX_PAUSE_MILLIS = 5_000;
    private static final Duration BEGINNING = ChildMain.START_LIMIT.multipliedBy(3);
    private static final Duration SOON = Duration.ofSeconds(30);
    /** A statement that arrives late begins a transaction that is never ended; the server aborts it after 60 s. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(70);

    private static final int MEGABYTE = 20;
    private static final int READINGS = 60;
    private static final Duration MIN_READING = Duration.ofSeconds(2);
    /** How many sessions, cursors and connections a worker may open without being a leak. */
    private static final int PER_WORKER = 4;

    private final SoakPlan plan;
    private final TestDatabase database;
    private final Consumer<String> log;
    private final SoakResult result = new SoakResult();
    private final Map<String, ChildConfig.Place> places = new HashMap<>();
    private final Map<String, LivenessProbe> probes = new HashMap<>();
    private final List<FaultProxy> routes = new ArrayList<>();
    private final ChildGroup children;
    private final List<SoakLock> locks = new ArrayList<>();
    /** The clients by the number of their process. */
    private final Map<Integer, Integer> clients = new ConcurrentHashMap<>();

    private final Set<Integer> hit = ConcurrentHashMap.newKeySet();
    private final ExecutorService checks = Executors.newFixedThreadPool(CHECKS_AT_ONCE);
    private final ExecutorService starts = Executors.newSingleThreadExecutor();
    private final ExecutorService pauses = Executors.newCachedThreadPool();
    private final SoakObserver observer;
    private final FaultInjector faults;
    private final AtomicBoolean isSteppingDown = new AtomicBoolean();
    private volatile boolean hasSteppedDown;
    private volatile boolean isEnding;

    private SoakRun(SoakPlan plan, TestDatabase database, Consumer<String> log) {
        this.plan = plan;
        this.database = database;
        this.log = log;
        for (int i = 0; i < plan.routes(); i++) {
            routes.add(FaultProxy.before(database.primary()));
        }
        for (Technique technique : plan.techniques()) {
            places.put(technique.name(), database.newPlace());
            IntStream.range(0, plan.locks())
                    .forEach(i -> locks.add(new SoakLock(locks.size() + 1, technique, plan.cutAfter())));
        }
        this.observer = new SoakObserver(locks, result, lock -> checks.execute(() -> cut(lock)), plan.seed());
        this.faults = new FaultInjector(plan.seed(), routes, this, result);
        this.children = new ChildGroup(observer, faults, this);
    }

    /**
     * Runs to the end, and closes everything that it has opened. A client that exits unexpectedly ends the run.
     *
     * @param log called with lines about the progress
     */
    public static SoakResult run(SoakPlan plan, TestDatabase database, Consumer<String> log)
            throws InterruptedException {
        return runUntil(plan, database, log, result -> false);
    }

    /** Runs until a condition holds, or to the end. */
    static SoakResult runUntil(SoakPlan plan, TestDatabase database, Consumer<String> log, Predicate<SoakResult> enough)
            throws InterruptedException {
        SoakRun run = new SoakRun(plan, database, log);
        try {
            run.begin();
            run.proceed(enough);
            run.end();
        } catch (RunFailedException e) {
            run.result.failed(String.valueOf(e.getMessage()));
        } finally {
            run.close();
        }
        return run.result;
    }

    private void begin() throws InterruptedException {
        for (Technique technique : plan.techniques()) {
            probes.put(technique.name(), new LivenessProbe(place(technique), technique));
        }
        for (int first = 0; first < plan.clients(); first += STARTS_AT_ONCE) {
            begin(first, Math.min(first + STARTS_AT_ONCE, plan.clients()));
        }
    }

    private void begin(int from, int until) throws InterruptedException {
        List<ChildHandle> some =
                IntStream.range(from, until).mapToObj(this::start).toList();
        if (!observer.await(() -> some.stream().allMatch(ChildHandle::hasBegun), BEGINNING)) {
            throw new RunFailedException("Clients did not start within " + BEGINNING);
        }
        log.accept(until + " clients have started");
    }

    private ChildHandle start(int client) {
        ChildHandle child = children.start(Optional.empty());
        clients.put(child.number(), client);
        int port = routes.get(client % routes.size()).address().getPort();
        for (Technique technique : plan.techniquesOf(client)) {
            child.send(new ParentMessage.Start(new ChildConfig(
                    place(technique).through(port),
                    technique.name(),
                    plan.driverOf(client),
                    SoakPlan.WORKERS,
                    plan.seed() + child.number())));
        }
        return child;
    }

    /** Replaces a client that was killed. */
    private void replace(int killed) {
        try {
            children.child(killed).close();
            Integer client = clients.remove(killed);
            if (client != null && !isEnding) {
                start(client);
            }
        } catch (RuntimeException e) {
            observer.fail(new RunFailedException("Client " + killed + " could not be replaced: " + e, e));
        }
    }

    private void proceed(Predicate<SoakResult> enough) throws InterruptedException {
        long calmNanos = plan.calm().toNanos();
        long begun = System.nanoTime();
        long faultsEnd = begun + Math.max(0, plan.length().toNanos() - calmNanos);
        long reading = Math.max(MIN_READING.toNanos(), plan.length().toNanos() / READINGS);
        long nextReading = begun + reading;
        while (System.nanoTime() - faultsEnd < 0 && !enough.test(result)) {
            observer.await(() -> false, faults.gap());
            faults.inject();
            if (System.nanoTime() - nextReading > 0) {
                nextReading += reading;
                measure(Duration.ofNanos(System.nanoTime() - begun));
            }
        }
        faults.end();
        calm();
    }

    private void measure(Duration since) {
        children.children().forEach(child -> child.send(new ParentMessage.Measure()));
        Runtime runtime = Runtime.getRuntime();
        log.accept(since.toSeconds() + " s: " + sum(result.grants()) + " grants, " + sum(result.faults()) + " faults, "
                + result.violations() + " violations; heap "
                + ((runtime.totalMemory() - runtime.freeMemory()) >> MEGABYTE)
                + " MB here, at most " + (result.usage().largest().heapBytes() >> MEGABYTE) + " MB in a client");
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
                .forEach(result::leaks);
    }

    private void end() throws InterruptedException {
        isEnding = true;
        terminate(starts);
        terminate(pauses);
        observer.ends();
        children.stop();
        terminate(checks);
        locks.parallelStream().forEach(this::cut);
        for (Technique technique : plan.techniques()) {
            new LeftWaiters(database.mongo(), place(technique), technique)
                    .find()
                    .forEach(result::leaks);
        }
        requireSoon(
                "connections of closed clients are left",
                () -> routes.stream().allMatch(route -> route.connections() == 0));
        result.usage().grown().forEach(result::leaks);
        observer.requireNoFailure();
    }

    private static void terminate(ExecutorService executor) throws InterruptedException {
        executor.shutdown();
        if (!executor.awaitTermination(BEGINNING.toSeconds(), TimeUnit.SECONDS)) {
            throw new RunFailedException("A task did not end within " + BEGINNING);
        }
    }

    private void requireSoon(String otherwise, BooleanSupplier fact) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + SOON.toNanos();
        while (!fact.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                result.leaks(otherwise);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Checks that an unused lock can be acquired, and checks its history. */
    private void cut(SoakLock lock) {
        try {
            Duration limit = (lock.needsTransactions() ? TRANSACTION_LIFETIME : LivenessProbe.LIMIT)
                    .plus(hasSteppedDown ? database.electionTime() : Duration.ZERO);
            LivenessProbe probe =
                    Objects.requireNonNull(probes.get(lock.technique().name()));
            result.probed(lock, probe.probe(lock.observer(), PROBE, RealTechniques.lock(lock.number()), limit));
            for (CounterExample example : lock.cut()) {
                if (result.found(lock, example)) {
                    log.accept(example.violation().finding() + " of "
                            + lock.technique().name());
                }
            }
            observer.isCut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            observer.fail(new RunFailedException("Lock " + lock.number() + " could not be checked: " + e, e));
        }
    }

    private ChildConfig.Place place(Technique technique) {
        return Objects.requireNonNull(places.get(technique.name()));
    }

    @Override
    public int any(RandomGenerator random) {
        List<Integer> running = clients.keySet().stream()
                .filter(child -> children.child(child).hasBegun())
                .filter(child -> !hit.contains(child))
                .sorted()
                .toList();
        return running.isEmpty() ? 0 : running.get(random.nextInt(running.size()));
    }

    /** Recorded before the kill, so that no event of the process follows its end in the history. */
    @Override
    public void kill(int child) {
        if (hit.add(child)) {
            result.fault("KILL");
            observer.recordFault(child, Op.CRASH, Phase.OK, "SIGKILL");
            children.child(child).kill();
            starts.execute(() -> replace(child));
        }
    }

    /** One at a time, and none after one that the server refused. */
    @Override
    public void stepDownLater() {
        if (!isSteppingDown.getAndSet(true)) {
            pauses.execute(() -> {
                try {
                    stepDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (RunFailedException | MongoException | IllegalStateException e) {
                    observer.fail(new RunFailedException("The step-down of the primary failed: " + e, e));
                }
            });
        }
    }

    private void stepDown() throws InterruptedException {
        Optional<String> refusal = database.stepDown();
        if (refusal.isPresent()) {
            result.notInjected(STEP_DOWN, refusal.get());
            return;
        }
        hasSteppedDown = true;
        result.fault(STEP_DOWN);
        InetSocketAddress primary = nextPrimary();
        routes.forEach(route -> route.redirect(primary));
        isSteppingDown.set(false);
    }

    private InetSocketAddress nextPrimary() throws InterruptedException {
        long deadlineNanos =
                System.nanoTime() + database.electionTime().plus(SOON).toNanos();
        while (true) {
            try {
                return database.primary();
            } catch (RunFailedException | MongoException e) {
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    @Override
    public void pauseLater(int child) {
        pauses.execute(() -> {
            try {
                pause(child);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                observer.fail(new RunFailedException("Client " + child + " could not be paused: " + e, e));
            }
        });
    }

    /** Recorded as slightly longer than it is, so that no event of the process falls into its pause in the history. */
    @Override
    public void pause(int child) throws InterruptedException {
        if (hit.add(child)) {
            result.fault("PAUSE");
            observer.recordFault(child, Op.PAUSE, Phase.INVOKE, "SIGSTOP");
            children.child(child).suspend();
            try {
                TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(1, MAX_PAUSE_MILLIS));
            } finally {
                children.child(child).resume();
                observer.recordFault(child, Op.PAUSE, Phase.OK, "SIGCONT");
                hit.remove(child);
            }
        }
    }

    private void close() {
        isEnding = true;
        checks.shutdownNow();
        starts.shutdownNow();
        pauses.shutdownNow();
        children.close();
        routes.forEach(FaultProxy::close);
        probes.values().forEach(LivenessProbe::close);
    }
}
