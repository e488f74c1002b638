package org.mongolocks.study.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/** Tests the bounds on the cost of waiting for one lock and for many, and that a seed repeats a run. */
class WaitingWorkersTest {
    private static final Logger LOCKS = Logger.getLogger("org.mongolocks");
    private static final long SEED = 1;
    private static final Map<String, WaitingResult> CONTENDED = new ConcurrentHashMap<>();

    @BeforeAll
    static void silenceLog() {
        LOCKS.setLevel(Level.OFF);
    }

    static Stream<Arguments> ofTwoTechniques() {
        return each(isOneOfTheTwo(), 1, 8);
    }

    static Stream<Arguments> ofMany() {
        return Stream.concat(each(technique -> true, 32), each(isOneOfTheTwo().negate(), 1, 8));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("ofMany")
    void contendedLockIsHandedOverSoonAmongManyClientsToo(Technique technique, int clients) {
        contendedGrantCostsABoundedNumberOfCommandsAndServesAllClients(technique, clients);
        medianHandoverTakesAtMostAFifthLongerThanTheNetworkNeeds(technique, clients);
        streamCommandsOfAGrantDoNotGrowWithTheClients(technique, clients);
    }

    static Stream<Arguments> withFewClients() {
        return each(isOneOfTheTwo(), 2, 3, 4);
    }

    static Stream<Arguments> withFewClientsOfOthers() {
        return each(isOneOfTheTwo().negate(), 2, 3, 4);
    }

    /** One that waits by its lock document, and one by transactions: they differ most. */
    private static Predicate<Technique> isOneOfTheTwo() {
        return technique -> technique.name().equals(counter().name()) || isTransaction(technique);
    }

    private static Stream<Arguments> each(Predicate<Technique> which, Integer... numbers) {
        return Techniques.shipped().stream()
                .filter(which)
                .flatMap(technique -> Stream.of(numbers)
                        .map(clients -> Arguments.of(Named.of(technique.name(), technique), clients)));
    }

    @ParameterizedTest
    @MethodSource("ofTwoTechniques")
    void contendedGrantCostsABoundedNumberOfCommandsAndServesAllClients(Technique technique, int clients) {
        WaitingResult result = contended(technique, clients);

        assertThat(result.commandsPerGrant().orElseThrow()).isLessThanOrEqualTo(mostCommands(technique));
        assertThat(result.leastGrants()).isPositive();
        assertThat(result.jain().orElseThrow()).isGreaterThan(0.9);
    }

    /**
     * A transaction has three commands, is repeated after a conflict, and its release may be two commands. In the clock-free
     * mode the joins of clients count that are not granted the lock before the end.
     */
    private static double mostCommands(Technique technique) {
        boolean isClockFree = technique.name().equals("optimistic-version-clock-free");
        return isTransaction(technique) ? 10 : isClockFree ? 4.1 : 4;
    }

    /** An event and a command, and for a transaction two more commands with their replies. */
    private static int roundTrips(Technique technique) {
        return isTransaction(technique) ? 3 : 1;
    }

    private static boolean isTransaction(Technique technique) {
        return technique.name().equals("transactional");
    }

    @ParameterizedTest
    @MethodSource("ofTwoTechniques")
    void medianHandoverTakesAtMostAFifthLongerThanTheNetworkNeeds(Technique technique, int clients) {
        WaitingResult result = contended(technique, clients);

        double most = 1.2 * roundTrips(technique) * WaitingCase.floorMillis(0.5);
        assertThat(result.handoverMillis(0.5).orElse(0)).isLessThanOrEqualTo(most);
        assertThat(result.handoverMillis(0.5).isPresent()).isEqualTo(clients > 1);
    }

    /** With few clients the list is often empty: then there is no turn of another to wait for. */
    @ParameterizedTest
    @MethodSource("withFewClients")
    void slowHandoverIsNoPause(Technique technique, int clients) {
        WaitingResult result = contended(technique, clients);

        double most = 5 * roundTrips(technique) * WaitingCase.floorMillis(0.5);
        assertThat(result.handoverMillis(0.99).orElseThrow()).isLessThan(most);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("withFewClientsOfOthers")
    void slowHandoverOfOthersIsNoPause(Technique technique, int clients) {
        slowHandoverIsNoPause(technique, clients);
    }

    /** The clients whose turn comes next, and those that do not wait, get the event of a release; the others do not. */
    @ParameterizedTest
    @MethodSource("ofTwoTechniques")
    void streamCommandsOfAGrantDoNotGrowWithTheClients(Technique technique, int clients) {
        WaitingResult result = contended(technique, clients);

        double idle = result.its().clients() * result.seconds();
        assertThat((result.streams().commands() - idle) / result.allGrants()).isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8, 32})
    void fairGrantCostsAboutFiveCommandsAndIsHandedOverByOneRoundTrip(int clients) {
        WaitingResult result =
                WaitingWorkers.run(new WaitingCase(Load.CONTENDED, Order.FAIR, counter(), clients, 1), SEED);

        assertThat(result.commandsPerGrant().orElseThrow()).isLessThanOrEqualTo(5.1);
        assertThat(result.handoverMillis(0.5).orElse(0)).isLessThanOrEqualTo(1.2 * WaitingCase.floorMillis(0.5));
        assertThat(result.handoverMillis(0.5).isPresent()).isEqualTo(clients > 1);
        assertThat(result.leastGrants()).isPositive();
        assertThat(result.jain().orElseThrow()).isGreaterThan(0.98);
    }

    /** Two of four clients die. A release notifies the first four waiters, so also one that lives. */
    @ParameterizedTest
    @EnumSource(names = {"FAIR", "DEFAULT"})
    void eachOfTwoDeadClientsCostsAQuarterOfASecond(Order order) {
        assertThat(millisPerDeadClient(order, counter(), 4)).isBetween(100.0, 300.0);
    }

    /** Clients that live join again at the end, so the dead ones come to the front. If they are four, a release notifies none that lives. */
    @ParameterizedTest
    @MethodSource("ofWhichHalfDie")
    void fourDeadClientsAtTheFrontCostTwoAndAHalfSeconds(Technique technique, int clients) {
        for (Order order : List.of(Order.FAIR, Order.DEFAULT)) {
            assertThat(millisPerDeadClient(order, technique, clients)).isBetween(100.0, 2_500.0 / 4);
        }
    }

    private static double millisPerDeadClient(Order order, Technique technique, int clients) {
        WaitingResult result = WaitingWorkers.run(new WaitingCase(Load.HALF_DIE, order, technique, clients, 1), SEED);

        assertThat(result.dead()).isEqualTo(clients / 2);
        assertThat(result.leastGrants()).isPositive();
        return result.millisPerDeadClient().orElseThrow();
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("ofMoreWhichHalfDie")
    void deadClientAmongManyCostsAsMuch(Technique technique, int clients) {
        fourDeadClientsAtTheFrontCostTwoAndAHalfSeconds(technique, clients);
    }

    static Stream<Arguments> ofMoreWhichHalfDie() {
        return Stream.concat(each(technique -> true, 16), each(isOneOfTheTwo().negate(), 8));
    }

    static Stream<Arguments> ofWhichHalfDie() {
        return each(isOneOfTheTwo(), 8);
    }

    @Test
    void lockThatStaysHeldIsReadAndNotWritten() {
        WaitingResult result = WaitingWorkers.run(new WaitingCase(Load.HELD, Order.DEFAULT, counter(), 2, 200), SEED);

        assertThat(result.commands()).containsOnlyKeys("find locks");
        assertThat(result.allCommands() / result.seconds()).isLessThan(200 / 4.5);
        assertThat(result.allGrants()).isZero();
        assertThat(result.longestWaitNanos()).isGreaterThan(20_000_000_000L);
    }

    @ParameterizedTest
    @EnumSource(
            value = Load.class,
            names = {"HALF_DIE", "HELD"})
    void seedRepeatsARun(Load load) {
        assertSeedRepeats(load);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            value = Load.class,
            names = {"HALF_DIE", "HELD"},
            mode = Mode.EXCLUDE)
    void seedRepeatsARunOfOtherLoads(Load load) {
        assertSeedRepeats(load);
    }

    private static void assertSeedRepeats(Load load) {
        WaitingCase one = new WaitingCase(load, Order.MIXED, counter(), 5, load.isOfOneLock() ? 1 : 10);

        assertThat(WaitingWorkers.run(one, 5))
                .isEqualTo(WaitingWorkers.run(one, 5))
                .isNotEqualTo(WaitingWorkers.run(one, 6));
    }

    @Test
    void onlyTheDetailedTechniqueIsMeasuredWithManyClients() {
        List<WaitingCase> cases = WaitingCase.all(Techniques.shipped(), counter(), List.of(8, 1_000), List.of(1));

        assertThat(cases)
                .filteredOn(one -> one.clients() > WaitingCase.FEW_CLIENTS)
                .singleElement()
                .matches(one -> one.technique().name().equals("findandmodify-counter"))
                .matches(one -> one.load() == Load.CONTENDED);
        assertThat(cases).hasSize(Techniques.shipped().size() + 4);
    }

    @Test
    void floorIsTheSumOfTwoLatencies() {
        assertThat(WaitingCase.floorMillis(0.5)).isEqualTo(6);
        assertThat(WaitingCase.floorMillis(0.99)).isBetween(9.4, 9.5);
        assertThat(WaitingCase.floorMillis(1)).isEqualTo(10);
    }

    /** Runs each case once, for all tests. */
    private static WaitingResult contended(Technique technique, int clients) {
        return CONTENDED.computeIfAbsent(
                technique.name() + clients,
                name -> WaitingWorkers.run(
                        new WaitingCase(Load.CONTENDED, Order.DEFAULT, technique, clients, 1), SEED));
    }

    static Technique counter() {
        return Techniques.shipped().stream()
                .filter(technique -> technique.name().equals("findandmodify-counter"))
                .findFirst()
                .orElseThrow();
    }
}
