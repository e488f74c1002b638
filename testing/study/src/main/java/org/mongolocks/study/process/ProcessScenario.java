package org.mongolocks.study.process;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.mongolocks.study.process.fault.ConnectionFault;
import org.mongolocks.study.process.fault.Fault;
import org.mongolocks.study.process.fault.Fault.Signal;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.technique.RealTechniques;

/**
 * A row of the matrix of real processes.
 *
 * @param name its name; that of the simulator's row with the same fault, if there is one
 * @param about the fault, in a sentence
 * @param needs what it needs to run
 * @param clock the wrong wall clock of the first client, if any
 * @param faults returns the faults for a seed
 */
public record ProcessScenario(
        String name,
        String about,
        Set<Need> needs,
        Optional<WrongClock> clock,
        LongFunction<Stream<Fault.Timed>> faults) {
    private static final int MINUTES = 10;
    /** The largest number of holders that pass a fault point before one is hit. */
    private static final int MAX_SPARED = 4;
    /** The limit of a pause, for locks without expiry, which no other client gets during it. */
    private static final Duration MAX_STANDSTILL = RealTechniques.TTL.multipliedBy(3);

    private static final Signal PAUSE = new Signal(false, MAX_STANDSTILL, true);

    /** Returns all scenarios, in the order of the matrix. */
    public static List<ProcessScenario> all() {
        return List.of(
                new ProcessScenario(
                        "healthy", "no fault", EnumSet.noneOf(Need.class), Optional.empty(), seed -> Stream.empty()),
                ofHolder("holder-crash", "a holder is killed in its critical section", FaultPoint.WORKING, Signal.KILL),
                ofHolder(
                        "holder-pause",
                        "a holder is paused during its work until another client has acquired the lock",
                        FaultPoint.WORKING,
                        PAUSE),
                ofHolder(
                        "holder-pause-checked",
                        "a holder is paused between its check and its write until another client has acquired the lock",
                        FaultPoint.CHECKED,
                        PAUSE),
                ofClock("client-ahead", "the wall clock of one client is ten minutes ahead", WrongClock.ahead(MINUTES)),
                ofClock(
                        "client-behind",
                        "the wall clock of one client is ten minutes behind",
                        WrongClock.ahead(-MINUTES)),
                ofClock(
                        "client-fast",
                        "the wall clock of one client runs at twice the rate of time",
                        WrongClock.fast(2)),
                ofMessages(
                        "requests-lost",
                        "now and then one to three commands in a row never reach the server",
                        ConnectionFault.REQUESTS_LOST),
                ofMessages(
                        "replies-lost",
                        "now and then one to three replies in a row never reach their client",
                        ConnectionFault.REPLIES_LOST),
                ofMessages(
                        "connections-reset",
                        "now and then one to three connections are reset during a command",
                        ConnectionFault.RESETS));
    }

    private static ProcessScenario ofHolder(String name, String about, FaultPoint point, Signal signal) {
        return new ProcessScenario(name, about, EnumSet.of(Need.SIGNALS), Optional.empty(), seed -> {
            int spared = 1 + new Random(seed).nextInt(MAX_SPARED);
            return Stream.of(new Fault.Timed(Duration.ZERO, new Fault.AtPoint(point, spared, signal)));
        });
    }

    private static ProcessScenario ofClock(String name, String about, WrongClock clock) {
        return new ProcessScenario(name, about, EnumSet.of(Need.FAKETIME), Optional.of(clock), seed -> Stream.empty());
    }

    private static ProcessScenario ofMessages(String name, String about, ConnectionFault fault) {
        return new ProcessScenario(
                name, about, EnumSet.of(Need.PLAIN_TEXT), Optional.empty(), seed -> Fault.often(fault, seed));
    }
}
