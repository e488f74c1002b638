package org.mongolocks.study.exhaustive;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.mongolocks.study.exhaustive.SmallWorld.Action;
import org.mongolocks.study.exhaustive.SmallWorld.Fault;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** The worlds that are searched. */
public final class SmallWorlds {
    private static final Set<Fault> FAULTS =
            EnumSet.complementOf(EnumSet.of(Fault.CLOCK_AHEAD, Fault.DUPLICATE_STATEMENT, Fault.CLEAN_UP));

    private static final List<Action> ONCE = List.of(Action.ACQUIRE, Action.RELEASE);
    private static final List<Action> TWICE = List.of(Action.ACQUIRE, Action.RELEASE, Action.ACQUIRE, Action.RELEASE);
    private static final List<Action> RENEWING = List.of(Action.ACQUIRE, Action.RENEW, Action.RELEASE);
    private static final List<Action> WRITING = List.of(Action.ACQUIRE, Action.WRITE, Action.RELEASE);
    private static final List<Action> WAITING_RENEWING = List.of(Action.AWAIT, Action.RENEW, Action.RELEASE);
    private static final List<Action> WAITING = List.of(Action.AWAIT, Action.RELEASE);

    /** As many as the largest number of faults with two clients, and one more. */
    private static final int ATTEMPTS = 3;

    private SmallWorlds() {}

    /** Returns the smallest world of each technique: two clients and one fault. */
    public static List<SmallWorld> ofOneFault() {
        return Techniques.all().stream()
                .map(technique -> world("one fault", technique, ONCE, 1, 1))
                .toList();
    }

    /** Returns all worlds. */
    public static List<SmallWorld> all() {
        return Techniques.all().stream().flatMap(SmallWorlds::of).toList();
    }

    /** Returns the worlds in one of which a twin must be found, the smaller ones first. */
    public static List<SmallWorld> of(Twin twin) {
        Technique technique = Techniques.shipped().stream()
                .filter(each -> each.name().equals(twin.strategy()))
                .findFirst()
                .orElseThrow();
        return ofTwins(technique).stream().map(world -> world.with(twin)).toList();
    }

    /** Returns the same worlds of a strategy without a mistake. */
    public static List<SmallWorld> ofTwins(Technique technique) {
        List<SmallWorld> worlds = new ArrayList<>(List.of(
                world("one fault", technique, ONCE, 1, 1),
                world("writes", technique, WRITING, 1, 1),
                cleanedUp(technique),
                world("renewals", technique, RENEWING, 1, 2),
                world("waiting and renewals", technique, WAITING_RENEWING, 1, 3),
                alone(technique),
                world("waiting", technique, WAITING, 1, 2)));
        if (!isOfTransactions(technique)) {
            worlds.add(world("two acquisitions", technique, TWICE, 1, 1));
        }
        worlds.add(world("two faults", technique, ONCE, 2, 1));
        return worlds;
    }

    private static Stream<SmallWorld> of(Technique technique) {
        if (!technique.config().isShipped()) {
            return Stream.of(world("one fault", technique, ONCE, 1, 1));
        }
        Stream<SmallWorld> two = Stream.of(
                world("two faults", technique, ONCE, 2, 1),
                world("renewals", technique, RENEWING, 1, 1),
                world("writes", technique, WRITING, 1, 1),
                world("waiting", technique, WAITING, 1, 2),
                alone(technique),
                cleanedUp(technique));
        Stream<SmallWorld> more = isOfTransactions(technique)
                ? Stream.empty()
                : Stream.of(
                        world("two acquisitions", technique, TWICE, 1, 1),
                        new SmallWorld("three clients", technique, null, 3, ONCE, FAULTS, ATTEMPTS, 1, 1));
        return Stream.concat(two, more);
    }

    private static SmallWorld world(String name, Technique technique, List<Action> script, int faults, int moments) {
        return new SmallWorld(name, technique, null, 2, script, FAULTS, attempts(technique), faults, moments);
    }

    /** The documents of the lock are deleted two days after their last use; nothing else happens to transactions. */
    static SmallWorld cleanedUp(Technique technique) {
        Set<Fault> faults = EnumSet.of(Fault.CLEAN_UP);
        if (!isOfTransactions(technique)) {
            faults.addAll(FAULTS);
        }
        List<Action> script = isOfTransactions(technique) ? ONCE : RENEWING;
        return new SmallWorld("clean-up", technique, null, 2, script, faults, attempts(technique), 1, 1);
    }

    /**
     * Messages are lost, and nobody else wants the lock. A copy of an attempt that was refused, and an election after which an old
     * request is not known to be old, may leave a lock behind, so there are none.
     */
    private static SmallWorld alone(Technique technique) {
        Set<Fault> faults = EnumSet.of(Fault.TIMEOUT, Fault.RESET, Fault.SLOW);
        return new SmallWorld("alone", technique, null, 1, ONCE, faults, attempts(technique), 4, 1);
    }

    /** Clients whose transactions conflict go on attempting, so that two attempts make as many states as can be searched. */
    private static int attempts(Technique technique) {
        return isOfTransactions(technique) ? 2 : ATTEMPTS;
    }

    private static boolean isOfTransactions(Technique technique) {
        return technique.name().equals("transactional");
    }
}
