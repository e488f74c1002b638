package org.mongolocks.study.process.soak;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.proxy.FaultProxy;
import org.mongolocks.study.process.fault.ConnectionFault;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.sim.config.FaultPoint;

/**
 * Random faults of processes, connections and the primary. A process is hit at a random time, or when one of its holders reaches a
 * random fault point. One thread injects faults; {@link #reached} is thread-safe.
 */
final class FaultInjector implements ProcessFault {
    private static final int MIN_GAP_MILLIS = 200;
    private static final int MAX_GAP_MILLIS = 1_000;
    /**
     * How long a connection is faulty at most. The checker expects that a request that is held meanwhile has been
     * executed three leases after its client has given up.
     */
    private static final long MAX_FAULT_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** The fraction of the changes of a route that end its fault. */
    private static final double CALM = 0.6;

    private static final double STEP_DOWN = 0.02;
    private static final double PROCESS_FAULT = 0.1;
    private static final double KILLED = 0.4;
    private static final List<ConnectionFault> FAULTS = List.of(ConnectionFault.values());
    private static final List<FaultPoint> POINTS =
            List.of(FaultPoint.GRANTED, FaultPoint.WORKING, FaultPoint.CHECKED, FaultPoint.DONE);

    private final RandomGenerator random;
    private final List<FaultProxy> routes;
    private final Targets targets;
    private final SoakResult result;
    /** When the fault of a route began. */
    private final Map<FaultProxy, Long> begun = new HashMap<>();

    private final AtomicReference<@Nullable Armed> armed = new AtomicReference<>();

    /** A fault for the first holder at a fault point. */
    private record Armed(FaultPoint point, boolean isKill) {}

    /** The processes. */
    interface Targets extends Scene {
        /** Returns a process that runs; 0 if none. */
        int any(RandomGenerator random);

        /** Has the primary step down, in the background. */
        void stepDownLater();

        /** Runs a pause of a process in the background. */
        void pauseLater(int child);
    }

    FaultInjector(long seed, List<FaultProxy> routes, Targets targets, SoakResult result) {
        this.random = new Random(seed);
        this.routes = List.copyOf(routes);
        this.targets = targets;
        this.result = result;
    }

    /** Returns how long to wait before the next fault. */
    Duration gap() {
        return Duration.ofMillis(random.nextInt(MIN_GAP_MILLIS, MAX_GAP_MILLIS));
    }

    void inject() {
        begun.entrySet().removeIf(one -> endsByAge(one.getKey(), one.getValue()));
        double kind = random.nextDouble();
        if (kind < STEP_DOWN) {
            targets.stepDownLater();
        } else if (kind < STEP_DOWN + PROCESS_FAULT) {
            injectIntoProcess();
        } else {
            FaultProxy route = routes.get(random.nextInt(routes.size()));
            ConnectionFault fault = FAULTS.get(random.nextInt(FAULTS.size()));
            if (random.nextDouble() < CALM) {
                route.heal();
            } else {
                fault.begin(route);
                begun.put(route, System.nanoTime());
                result.fault(fault.name());
            }
        }
    }

    private static boolean endsByAge(FaultProxy route, long beganNanos) {
        boolean isOld = System.nanoTime() - beganNanos > MAX_FAULT_NANOS;
        if (isOld) {
            route.heal();
        }
        return isOld;
    }

    /** Ends all faults. */
    void end() {
        armed.set(null);
        routes.forEach(FaultProxy::heal);
    }

    @Override
    public void reached(Scene scene, int child, FaultPoint moment) throws InterruptedException {
        Armed fault = armed.get();
        if (fault != null && fault.point() == moment && armed.compareAndSet(fault, null)) {
            if (fault.isKill()) {
                scene.kill(child);
            } else {
                scene.pause(child);
            }
        }
    }

    @Override
    public boolean isOver() {
        return false;
    }

    private void injectIntoProcess() {
        boolean isKill = random.nextDouble() < KILLED;
        FaultPoint point = POINTS.get(random.nextInt(POINTS.size()));
        int child = targets.any(random);
        if (random.nextBoolean()) {
            armed.set(new Armed(point, isKill));
        } else if (child != 0) {
            if (isKill) {
                targets.kill(child);
            } else {
                targets.pauseLater(child);
            }
        }
    }
}
