package org.mongolocks.study.process;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.process.fault.ConnectionFault;
import org.mongolocks.study.process.fault.Fault;
import org.mongolocks.study.process.fault.Fault.Signal;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;

/**
 * A row of the matrix of real processes.
 *
 * @param name its name; that of the simulator's row with the same fault, if there is one
 * @param about the fault, in a sentence
 * @param needs what it needs to run
 * @param clock the wrong wall clock of the first client, if any
 * @param faults plans the faults
 */
public record ProcessScenario(String name, String about, Set<Need> needs, Optional<WrongClock> clock, Plan faults) {
    private static final Duration MINUTES = Duration.ofMinutes(10);
    private static final Duration SECONDS = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);
    /** The largest number of holders that pass a fault point before one is hit. */
    private static final int MAX_SPARED = 4;
    /** The limit of a pause in leases, for locks that no other client gets during it. */
    private static final int LEASES_OF_A_STANDSTILL = 3;

    private static final Duration BEGINNING = Duration.ofMillis(500);

    /** Plans the faults of a run. */
    interface Plan {
        /** Returns the faults for a seed and the length of a lease, in order. */
        Stream<Fault.Timed> of(long seed, Duration ttl);
    }

    /** Returns all scenarios for techniques, in the order of the matrix. */
    public static List<ProcessScenario> all() {
        return List.of(
                new ProcessScenario(
                        "healthy",
                        "no fault",
                        EnumSet.noneOf(Need.class),
                        Optional.empty(),
                        (seed, ttl) -> Stream.empty()),
                ofHolder("holder-crash", "a holder is killed in its critical section", FaultPoint.WORKING, true),
                ofHolder(
                        "holder-pause",
                        "a holder is paused during its work until another client has acquired the lock",
                        FaultPoint.WORKING,
                        false),
                ofHolder(
                        "holder-pause-checked",
                        "a holder is paused between its check and its write until another client has acquired the lock",
                        FaultPoint.CHECKED,
                        false),
                ofClock("client-ahead", "the wall clock of one client is ten minutes ahead", WrongClock.ahead(MINUTES)),
                ofClock(
                        "client-behind",
                        "the wall clock of one client is ten minutes behind",
                        WrongClock.ahead(MINUTES.negated())),
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

    /** Returns the scenarios for libraries, in the order of the matrix. */
    public static List<ProcessScenario> ofLibraries() {
        Stream<ProcessScenario> shared = all().stream()
                .filter(row -> row.clock().isEmpty() && !row.name().equals("requests-lost"));
        Stream<ProcessScenario> own = Stream.of(
                ofHolder(
                        "holder-pause-done",
                        "a holder is paused before its release until another client has acquired the lock",
                        FaultPoint.DONE,
                        false),
                new ProcessScenario(
                        "long-work",
                        "the work of one holder takes two and a half leases",
                        EnumSet.noneOf(Need.class),
                        Optional.empty(),
                        (seed, ttl) -> at(
                                FaultPoint.WORKING,
                                seed,
                                Optional.empty(),
                                ttl.multipliedBy(5).dividedBy(2))),
                ofClock("ahead-10s", "the wall clock of one client is ten seconds ahead", WrongClock.ahead(SECONDS)),
                ofClock(
                        "behind-10s",
                        "the wall clock of one client is ten seconds behind",
                        WrongClock.ahead(SECONDS.negated())),
                ofClock("ahead-1h", "the wall clock of one client is an hour ahead", WrongClock.ahead(HOUR)),
                ofClock(
                        "behind-1h",
                        "the wall clock of one client is an hour behind",
                        WrongClock.ahead(HOUR.negated())),
                ofProxy("replies-late", "replies arrive only when a lease has passed", ConnectionFault.SLOW_REPLIES),
                ofProxy("server-hangs", "the server does nothing for longer than a lease", ConnectionFault.FROZEN),
                new ProcessScenario(
                        "step-down",
                        "the primary steps down",
                        EnumSet.of(Need.MONGODB),
                        Optional.empty(),
                        (seed, ttl) -> Stream.of(new Fault.Timed(BEGINNING, new Fault.StepDown()))));
        return Stream.concat(shared, own).toList();
    }

    /** Returns whether its fault hits all runs that use the server meanwhile. */
    boolean hitsServer() {
        return needs.contains(Need.MONGODB);
    }

    /** Returns why a column cannot run in this scenario, if it cannot. */
    public Optional<String> unfit(Column column) {
        boolean isOnMongo =
                !(column instanceof Library library) || library.peer().server() == PeerLibrary.Server.MONGODB;
        if (isOnMongo || Collections.disjoint(needs, EnumSet.of(Need.PLAIN_TEXT, Need.MONGODB))) {
            return Optional.empty();
        }
        return Optional.of(
                hitsServer()
                        ? "MongoDB alone has a primary that steps down"
                        : "the proxy reads the protocol of MongoDB alone");
    }

    /** A fault of a connection that is there for longer than a lease, and then not for a while. */
    private static ProcessScenario ofProxy(String name, String about, ConnectionFault fault) {
        return new ProcessScenario(
                name,
                about,
                EnumSet.of(Need.PLAIN_TEXT),
                Optional.empty(),
                (seed, ttl) -> Stream.iterate(0, round -> round + 1)
                        .flatMap(round -> Stream.of(
                                new Fault.Timed(
                                        BEGINNING,
                                        new Fault.OfRoute(0, Optional.of(fault), new Fault.Commands(1, false))),
                                new Fault.Timed(
                                        ttl.plusSeconds(1),
                                        new Fault.OfRoute(0, Optional.empty(), new Fault.Commands(0, false))))));
    }

    private static ProcessScenario ofHolder(String name, String about, FaultPoint point, boolean isKill) {
        return new ProcessScenario(name, about, EnumSet.of(Need.SIGNALS), Optional.empty(), (seed, ttl) -> {
            Signal signal = isKill ? Signal.KILL : new Signal(false, ttl.multipliedBy(LEASES_OF_A_STANDSTILL), true);
            return at(point, seed, Optional.of(signal), Duration.ZERO);
        });
    }

    private static Stream<Fault.Timed> at(FaultPoint point, long seed, Optional<Signal> signal, Duration work) {
        int spared = 1 + new Random(seed).nextInt(MAX_SPARED);
        return Stream.of(new Fault.Timed(Duration.ZERO, new Fault.AtPoint(point, spared, signal, work)));
    }

    private static ProcessScenario ofClock(String name, String about, WrongClock clock) {
        return new ProcessScenario(
                name, about, EnumSet.of(Need.FAKETIME), Optional.of(clock), (seed, ttl) -> Stream.empty());
    }

    private static ProcessScenario ofMessages(String name, String about, ConnectionFault fault) {
        return new ProcessScenario(
                name, about, EnumSet.of(Need.PLAIN_TEXT), Optional.empty(), (seed, ttl) -> Fault.often(fault, seed));
    }
}
