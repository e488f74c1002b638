package org.mongolocks.study.waiting;

import java.util.ArrayList;
import java.util.List;
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
    /** The time in which a client claims its turn, and two messages. */
    private static final double PROMPT = WaitingResult.LATE_NANOS / 1e6;
    /** A client that has left costs nothing: the end of a lease, one look of the client that is left, and two messages. */
    private static final double AFTER_A_LEASE = 310;
    /** With many clients each wait that ends early ends without the lock: it is added to the list, and removed. */
    private static final double WITH_ONE_GIVEN_UP = 5.2;
    /** A join, the grant and the release. */
    private static final double FEW_WAITERS = 3.2;
    /** Besides, a look at the list by one that waits for longer than two seconds, without the events of the first four. */
    private static final double FAR_BACK = 4.2;
    /** A poll in turn, and its command. */
    private static final double POLLED = 50;
    /** However many have died, they cost eight times a quarter of a second once. */
    private static final double AFTER_DEATHS = 2_500;
    /** Twice the share of the time in which an open stream has no command in execution, but one on its way. */
    private static final double BETWEEN_COMMANDS = 8;

    /** What is measured of a run. */
    public enum Measure {
        /** Without those of change streams. */
        COMMANDS("commands a grant"),
        /** Reads of locks that stay held. */
        COMMANDS_A_SECOND("commands a second"),
        /** The median compared to the network's latency. */
        MEDIAN("hand-over p50 / floor"),
        /** The slowest tenth. */
        NINTH_DECILE("hand-over p90, ms"),
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

        /** Returns its name in tables. */
        public String title() {
            return title;
        }

        private double of(WaitingResult one) {
            return switch (this) {
                case COMMANDS -> one.commandsPerGrant().orElse(Double.POSITIVE_INFINITY);
                case COMMANDS_A_SECOND -> one.allCommands() / one.seconds();
                case MEDIAN -> millis(one, 0.5) / WaitingCase.floorMillis(0.5);
                case NINTH_DECILE -> millis(one, 0.9);
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

    /**
     * Returns the goals.
     *
     * @param technique the technique, which is not transactional
     * @return the goals, ordered by load
     */
    public static List<WaitingGoal> all(Technique technique) {
        Goals goals = new Goals(technique);
        for (Order order : List.of(Order.DEFAULT, Order.FAIR, Order.MIXED)) {
            goals.of(Load.CONTENDED, order, 16, 64).atMost(Measure.COMMANDS, FEW_WAITERS);
            goals.of(Load.CONTENDED, order, 256).atMost(Measure.COMMANDS, FAR_BACK);
            goals.of(Load.CONTENDED, order, 16, 64, 256).atMost(Measure.MEDIAN, 1.1);
            goals.of(Load.GIVE_UP, order, 4, 16).atMost(Measure.COMMANDS, 4.5);
            goals.of(Load.GIVE_UP, order, 64).atMost(Measure.COMMANDS, WITH_ONE_GIVEN_UP);
            goals.of(Load.GIVE_UP, order, 4, 16, 64).atMost(Measure.LATE, 0).atMost(Measure.LONGEST, PROMPT);
            goals.of(Load.INTERRUPTED, order, 8).atMost(Measure.LATE, 0).atMost(Measure.LONGEST_WAIT, 5);
        }
        goals.of(Load.HOLD_AT_LEAST, Order.DEFAULT, 1, 4, 16).atMost(Measure.COMMANDS, FEW_WAITERS);
        goals.of(Load.HOLD_AT_LEAST, Order.DEFAULT, 64).atMost(Measure.COMMANDS, FAR_BACK);
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
        goals.of(new WaitingCase(Load.HELD, Order.DEFAULT, technique, 4, 10_000))
                .atMost(Measure.COMMANDS_A_SECOND, 350);
        return List.copyOf(goals.all);
    }

    /** The goals of cases that have been listed. */
    private static final class Goals {
        private final Technique technique;
        private final List<WaitingGoal> all = new ArrayList<>();
        private List<WaitingCase> cases = List.of();

        Goals(Technique technique) {
            this.technique = technique;
        }

        Goals of(Load load, Order order, Integer... clients) {
            return of(Stream.of(clients)
                    .map(many -> new WaitingCase(load, order, technique, many, 1))
                    .toArray(WaitingCase[]::new));
        }

        Goals of(WaitingCase... these) {
            cases = List.of(these);
            return this;
        }

        Goals atMost(Measure measure, double most) {
            cases.forEach(one -> all.add(new WaitingGoal(one, measure, most)));
            return this;
        }
    }
}
