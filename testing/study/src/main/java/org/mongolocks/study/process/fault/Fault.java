package org.mongolocks.study.process.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.sim.config.FaultPoint;

/** A fault of a run: of a process, of connections, or of the primary. */
public sealed interface Fault {
    /**
     * A fault of a client process at any time.
     *
     * @param client the number of the client, from 0; if it is not running, nothing happens
     */
    record OfClient(int client, Signal signal) implements Fault {}

    /**
     * A fault of the client process whose holder reaches a fault point.
     *
     * @param spared how many holders pass the point before
     * @param signal the signal that the process gets, if any
     * @param work how long the work that begins there takes; zero for as long as usual
     */
    record AtPoint(FaultPoint point, int spared, Optional<Signal> signal, Duration work) implements Fault {}

    /**
     * A fault of the connections through a proxy, in place of the previous one.
     *
     * @param route the number of the proxy, from 0
     * @param fault the fault; empty for none
     * @param commands the commands that it hits, if it hits single commands
     */
    record OfRoute(int route, Optional<ConnectionFault> fault, Commands commands) implements Fault {}

    /**
     * The next commands through a proxy.
     *
     * @param inARow how many
     * @param areOfStreams whether commands that read change streams are among them
     */
    record Commands(int inARow, boolean areOfStreams) {}

    /** The primary steps down. */
    record StepDown() implements Fault {}

    /**
     * A signal that a process gets: SIGKILL, or SIGSTOP and later SIGCONT.
     *
     * @param isKill whether it is killed
     * @param pause how long it is paused at most
     * @param endsWithTakeover whether the pause ends when another client has used the resources
     */
    record Signal(boolean isKill, Duration pause, boolean endsWithTakeover) {
        public static final Signal KILL = new Signal(true, Duration.ZERO, false);
    }

    /**
     * A fault with its time.
     *
     * @param after the time since the previous fault
     */
    record Timed(Duration after, Fault fault) {}

    List<FaultPoint> POINTS = List.of(FaultPoint.GRANTED, FaultPoint.WORKING, FaultPoint.CHECKED, FaultPoint.DONE);

    /** More in a row than a driver retries. */
    int MAX_IN_A_ROW = 3;

    /**
     * Returns one connection fault after another of the only route, on one to three commands each. Commands of change streams
     * are not hit: a run in which nothing else is hit would show nothing about locks.
     */
    static Stream<Timed> often(ConnectionFault fault, long seed) {
        Random random = new Random(seed);
        return Stream.generate(() -> new Timed(
                millis(random, 100, 500),
                new OfRoute(0, Optional.of(fault), new Commands(random.nextInt(1, MAX_IN_A_ROW + 1), false))));
    }

    /** Returns faults of all kinds at random times, without end. The same arguments give the same faults. */
    static Stream<Timed> random(long seed, int clients, int routes) {
        Random random = new Random(seed);
        return Stream.generate(() -> new Timed(millis(random, 200, 1_000), draw(random, clients, routes)));
    }

    private static Fault draw(RandomGenerator random, int clients, int routes) {
        double kind = random.nextDouble();
        if (kind < 0.02) {
            return new StepDown();
        } else if (kind < 0.12) {
            Signal signal =
                    random.nextDouble() < 0.4 ? Signal.KILL : new Signal(false, millis(random, 1, 5_000), false);
            return random.nextBoolean()
                    ? new AtPoint(one(random, POINTS), 0, Optional.of(signal), Duration.ZERO)
                    : new OfClient(random.nextInt(clients), signal);
        }
        boolean isCalm = random.nextDouble() < 0.6;
        ConnectionFault fault = one(random, List.of(ConnectionFault.values()));
        return new OfRoute(
                random.nextInt(routes),
                isCalm ? Optional.empty() : Optional.of(fault),
                new Commands(MAX_IN_A_ROW, true));
    }

    private static <T> T one(RandomGenerator random, List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static Duration millis(RandomGenerator random, int atLeast, int below) {
        return Duration.ofMillis(random.nextInt(atLeast, below));
    }
}
