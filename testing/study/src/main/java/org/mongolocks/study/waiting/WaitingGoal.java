package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.waiting.WaitingCase.Load;
import org.mongolocks.study.waiting.WaitingCase.Order;

/**
 * A bound on what waiting costs.
 *
 * @param measure what is measured
 * @param atMost the largest value that is allowed
 */
public record WaitingGoal(WaitingCase its, Measure measure, double atMost) {
    /** The names of the columns of a table. */
    public static final List<String> COLUMNS =
            List.of("load", "strategy", "clients", "locks", "measure", "at most", "measured", "");

    /** The time in which a client claims its turn, and two messages. */
    private static final double PROMPT = WaitingResult.LATE_NANOS / 1e6;
    /** A client that has left costs nothing: the end of a lease, one look of the client that is left, and two messages. */
    private static final double AFTER_A_LEASE = 310;
    /** With many clients each wait that ends early ends without the lock: it is added to the list, and removed. */
    private static final double WITH_ONE_GIVEN_UP = 5.2;
    /** A poll in turn, and its command. */
    private static final double POLLED = 50;
    /** However many have died, they cost eight times a quarter of a second once. */
    private static final double AFTER_DEATHS = 2_500;
    /** Twice the share of the time in which an open stream has no command in execution, but one on its way. */
    private static final double BETWEEN_COMMANDS = 8;
    /** The first attempt of a waiter may lose; then it is in the list, and only a conflict with a caller delays it. */
    private static final double BESIDE_CALLERS = 0.3;
    /** While the first one is late, one is granted the lock after its time, and the next after that. */
    private static final double BEFORE_LATE_HEAD = 2;
    /** An acquisition and its release. */
    private static final double UNCONTENDED = 2.1;

    private static final String DETAILED = "findandmodify-counter";

    /** What is measured of a run. */
    public enum Measure {
        /** Without those of change streams. */
        COMMANDS("commands a grant"),
        /** Besides the one that each client sends in a second. */
        STREAM_COMMANDS("further stream commands a grant"),
        /** Reads of locks that stay held. */
        COMMANDS_A_SECOND("commands a second"),
        /** At least an event and a command, 6 ms. */
        MEDIAN("hand-over p50, ms"),
        /** The slowest tenth. */
        NINTH_DECILE("hand-over p90, ms"),
        /** The slowest hundredth. */
        TAIL("hand-over p99, ms"),
        /** The longest. */
        LONGEST("longest hand-over, ms"),
        /** Those that waited for a client that did not claim its turn. */
        LATE("hand-overs over 260 ms"),
        /** Grants while another had waited for longer. */
        OVERTAKINGS("grants out of order"),
        /** The longest wait of an acquisition that did not give up. */
        LONGEST_WAIT("longest wait, s"),
        /** How much a client is at a disadvantage that polls. */
        FOR_ONE_OF_POLLER("grants of a notified client for one of the poller"),
        /** While clients have no stream, they poll. */
        WITHOUT_STREAM("% of the time without a stream");

        private final String title;

        Measure(String title) {
            this.title = title;
        }

        private double of(WaitingResult one) {
            return switch (this) {
                case COMMANDS -> one.commandsPerGrant().orElse(Double.POSITIVE_INFINITY);
                case STREAM_COMMANDS -> one.streamCommandsPerGrant().orElse(Double.POSITIVE_INFINITY);
                case COMMANDS_A_SECOND -> one.allCommands() / one.seconds();
                case MEDIAN -> millis(one, 0.5);
                case NINTH_DECILE -> millis(one, 0.9);
                case TAIL -> millis(one, 0.99);
                case LONGEST -> millis(one, 1);
                case LATE -> one.lateHandovers();
                case OVERTAKINGS -> one.overtakings();
                case LONGEST_WAIT -> one.longestWaitNanos() / 1e9;
                case FOR_ONE_OF_POLLER -> one.grantsForOneOfPoller();
                case WITHOUT_STREAM -> 100 * one.withoutStream();
            };
        }

        /** A run in which nothing was handed over was not prompt. */
        private static double millis(WaitingResult one, double quantile) {
            return one.handoverMillis(quantile).orElse(Double.POSITIVE_INFINITY);
        }
    }

    /** Returns what was measured. */
    public double measured(WaitingResult result) {
        return measure.of(result);
    }

    /** Returns the load, the strategy, the numbers of clients and what is measured. */
    @Override
    public String toString() {
        return its.technique().name() + ", " + its.title() + ", " + its.clients() + " clients: " + measure.title;
    }

    /** Returns the cells of this goal in a table, whose last column says whether it is missed. */
    public List<String> cells(WaitingResult result) {
        double measured = measured(result);
        return List.of(
                its.title(),
                its.technique().name(),
                Integer.toString(its.clients()),
                Integer.toString(its.locks()),
                measure.title,
                number(atMost),
                number(measured),
                measured <= atMost ? "" : "missed");
    }

    /** Returns three figures of a number, or all that are before the point. */
    private static String number(double value) {
        return Double.isFinite(value)
                ? String.format(Locale.ROOT, "%." + (value < 10 ? 2 : value < 100 ? 1 : 0) + "f", value)
                : "–";
    }

    /**
     * Returns the goals.
     *
     * @param techniques the shipped techniques to measure; findandmodify-counter is measured with all loads
     * @return the goals, ordered by technique and load
     */
    public static List<WaitingGoal> all(List<Technique> techniques) {
        return techniques.stream().flatMap(technique -> of(technique).stream()).toList();
    }

    private static List<WaitingGoal> of(Technique technique) {
        Goals goals = new Goals(technique);
        Costs costs = Costs.of(technique);
        boolean isDetailed = technique.name().equals(DETAILED);
        for (Order order : isDetailed ? List.of(Order.values()) : List.of(Order.DEFAULT)) {
            goals.of(Load.CONTENDED, order, 1, 4, 16, 64).atMost(Measure.COMMANDS, costs.commands());
            goals.of(Load.CONTENDED, order, 4, 16, 64, 256)
                    .atMost(Measure.MEDIAN, costs.median())
                    .atMost(Measure.STREAM_COMMANDS, 5);
            goals.of(Load.CONTENDED, order, 64, 256).atMost(Measure.TAIL, costs.tail());
            goals.of(Load.CONTENDED, order, 256)
                    .atMost(Measure.COMMANDS, costs.commandsFarBack())
                    .atMost(Measure.LONGEST_WAIT, costs.longestWait());
        }
        goals.of(Load.CALLERS, Order.DEFAULT, 6).atMost(Measure.LONGEST_WAIT, BESIDE_CALLERS);
        for (Order order : List.of(Order.DEFAULT, Order.FAIR)) {
            goals.of(Load.LATE_HEAD, order, 6).atMost(Measure.OVERTAKINGS, BEFORE_LATE_HEAD);
            goals.of(Load.HALF_DIE, order, 4, 8).atMost(Measure.LONGEST, AFTER_DEATHS);
        }
        if (isDetailed) {
            details(goals, costs);
        }
        return goals.all;
    }

    private static void details(Goals goals, Costs costs) {
        goals.of(Load.CONTENDED, Order.DEFAULT, 1_000).atMost(Measure.COMMANDS, 6.6);
        for (Order order : Order.values()) {
            goals.of(Load.GIVE_UP, order, 4, 16).atMost(Measure.COMMANDS, 4.5);
            goals.of(Load.GIVE_UP, order, 64).atMost(Measure.COMMANDS, WITH_ONE_GIVEN_UP);
            goals.of(Load.GIVE_UP, order, 4, 16, 64).atMost(Measure.LATE, 0).atMost(Measure.LONGEST, PROMPT);
            goals.of(Load.INTERRUPTED, order, 8).atMost(Measure.LATE, 0).atMost(Measure.LONGEST_WAIT, 5);
        }
        goals.of(Load.HOLD_AT_LEAST, Order.DEFAULT, 1, 4, 16).atMost(Measure.COMMANDS, costs.commands());
        goals.of(Load.HOLD_AT_LEAST, Order.DEFAULT, 64).atMost(Measure.COMMANDS, costs.commandsFarBack());
        for (Order order : List.of(Order.DEFAULT, Order.FAIR)) {
            goals.of(Load.LEASE_ENDS, order, 1, 5, 17, 41, 101).atMost(Measure.LONGEST, AFTER_A_LEASE);
            goals.of(Load.HOLDER_CRASHES, order, 1, 5, 17, 41, 101).atMost(Measure.LONGEST, AFTER_A_LEASE);
            goals.of(Load.ALL_BUT_LAST_DIE, order, 5, 17, 41, 101).atMost(Measure.LONGEST, AFTER_DEATHS);
            goals.of(Load.FIRST_HALF_DIES, order, 16, 64)
                    .atMost(Measure.LONGEST, AFTER_DEATHS)
                    .atMost(Measure.LATE, 1);
            goals.of(Load.FIRST_FOUR_DIE, order, 5, 16, 64)
                    .atMost(Measure.LONGEST, AFTER_DEATHS)
                    .atMost(Measure.LATE, 1);
            goals.of(Load.HALF_DIE, order, 16, 64).atMost(Measure.LONGEST, AFTER_DEATHS);
        }
        goals.of(Load.FIRST_HALF_DIES, Order.FAIR, 16, 64).atMost(Measure.OVERTAKINGS, 0);
        goals.of(Load.GUARDED, Order.DEFAULT, 8)
                .atMost(Measure.WITHOUT_STREAM, BETWEEN_COMMANDS)
                .atMost(Measure.NINTH_DECILE, 10)
                .atMost(Measure.LATE, 0);
        goals.of(Load.LATE_EVENTS, Order.DEFAULT, 4, 16)
                .atMost(Measure.NINTH_DECILE, POLLED)
                .atMost(Measure.COMMANDS, 12)
                .atMost(Measure.LONGEST, PROMPT);
        goals.of(Load.ONE_POLLS, Order.DEFAULT, 9).atMost(Measure.FOR_ONE_OF_POLLER, 3);
        goals.ofManyLocks(Load.HELD, 1, 4).atMost(Measure.COMMANDS_A_SECOND, 350);
        goals.ofManyLocks(Load.HELD, 16).atMost(Measure.COMMANDS_A_SECOND, 1_400);
        goals.ofManyLocks(Load.HELD, 64).atMost(Measure.COMMANDS_A_SECOND, 1_550);
        goals.ofManyLocks(Load.SPREAD, 64).atMost(Measure.COMMANDS, UNCONTENDED);
    }

    /**
     * What a contended lock costs.
     *
     * @param commands a grant, with up to 64 clients: a join, the grant and the release; a transaction is three commands, and
     *     repeated after a conflict
     * @param commandsFarBack a grant, with 256 clients: besides, a look at the list by one that waits for longer than two
     *     seconds, without the events of the first four
     * @param median of the hand-over, in milliseconds
     * @param tail the slowest hundredth of them, likewise
     * @param longestWait with 256 clients, in seconds
     */
    private record Costs(double commands, double commandsFarBack, double median, double tail, double longestWait) {
        static Costs of(Technique technique) {
            return switch (technique.name()) {
                case "transactional" -> new Costs(7.8, 9, 22, 80, 20);
                case "optimistic-version-clock-free" -> new Costs(4.5, 6.6, 6.6, 10, 8);
                default -> new Costs(3.2, 4.2, 6.6, 10, 8);
            };
        }
    }

    /** The goals of cases that have been listed. */
    private static final class Goals {
        private static final int MANY = 10_000;

        private final Technique technique;
        private final List<WaitingGoal> all = new ArrayList<>();
        private List<WaitingCase> cases = List.of();

        Goals(Technique technique) {
            this.technique = technique;
        }

        Goals of(Load load, Order order, Integer... clients) {
            return cases(load, order, 1, clients);
        }

        Goals ofManyLocks(Load load, Integer... clients) {
            return cases(load, Order.DEFAULT, MANY, clients);
        }

        private Goals cases(Load load, Order order, int locks, Integer... clients) {
            cases = Stream.of(clients)
                    .map(many -> new WaitingCase(load, order, technique, many, locks))
                    .toList();
            return this;
        }

        Goals atMost(Measure measure, double most) {
            cases.forEach(one -> all.add(new WaitingGoal(one, measure, most)));
            return this;
        }
    }
}
