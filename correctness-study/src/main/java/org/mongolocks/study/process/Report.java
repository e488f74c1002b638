package org.mongolocks.study.process;

import org.mongolocks.study.history.Event;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Resources;

/**
 * A message from a child to its parent, one line each. Times are nanoseconds of {@link System#nanoTime()}, which all
 * processes of a machine share.
 */
sealed interface Report {
    /** Returns the message as a line. */
    Line line();

    /** Reports that the child has connected. The key identifies it; the times show the state of its clocks. */
    record Hello(String key, int child, Clocks clocks) implements Report {
        @Override
        public Line line() {
            return Line.of("HELLO", key, child, clocks.nanos(), clocks.wallMillis());
        }
    }

    /** Reports an event; the number of the grant is the child's own. */
    record Happened(Event event) implements Report {
        @Override
        public Line line() {
            return Line.of(
                    "EVENT",
                    event.atNanos(),
                    event.op(),
                    event.phase(),
                    event.grant(),
                    event.token(),
                    event.fromNanos(),
                    event.untilNanos(),
                    event.note());
        }
    }

    /** Requests the values of the resources for a holder. */
    record Read(int worker, Grasp grasp) implements Report {
        @Override
        public Line line() {
            return Line.of("READ", worker, grasp.grant(), grasp.token());
        }
    }

    /** Writes the values plus one for a holder, and waits until they are written. */
    record Write(int worker, Grasp grasp, Resources.Values values) implements Report {
        @Override
        public Line line() {
            return Line.of(
                    "WRITE",
                    worker,
                    grasp.grant(),
                    grasp.token(),
                    values.unfenced(),
                    values.fenced(),
                    values.touchFenced());
        }
    }

    /** Reports that a holder has reached a fault point, and waits until it may continue. */
    record Reached(int worker, Moment moment) implements Report {
        @Override
        public Line line() {
            return Line.of("AT", worker, moment);
        }
    }

    /** Reports the number of commands sent so far. The first such line says that the child has begun. */
    record Sent(long commands) implements Report {
        @Override
        public Line line() {
            return Line.of("SENT", commands);
        }
    }

    /** Reports that the child cannot continue. */
    record Trouble(String what) implements Report {
        @Override
        public Line line() {
            return Line.of("TROUBLE", what);
        }
    }

    /** Reports the normal end of the child. */
    record Bye(Clocks clocks) implements Report {
        @Override
        public Line line() {
            return Line.of("BYE", clocks.nanos(), clocks.wallMillis());
        }
    }

    /** The grant with which a holder uses the resources: the child's number of it, and its token. */
    record Grasp(int grant, long token) {}

    /** The readings of a process's clocks at one time. */
    record Clocks(long nanos, long wallMillis) {
        static Clocks now() {
            return new Clocks(System.nanoTime(), System.currentTimeMillis());
        }
    }

    /**
     * Parses a line.
     *
     * @throws IllegalArgumentException if it is invalid; the message says why
     */
    static Report parse(String text) {
        Line line = Line.parse(text);
        return switch (line.word()) {
            case "HELLO" -> hello(line.requireFields(4));
            case "EVENT" -> new Happened(event(line.requireFields(8)));
            case "READ" -> new Read(line.requireFields(3).smallNumber(0), grasp(line));
            case "WRITE" -> new Write(line.requireFields(6).smallNumber(0), grasp(line), values(line));
            case "AT" -> new Reached(line.requireFields(2).smallNumber(0), line.constant(1, Moment.class));
            case "SENT" -> new Sent(line.requireFields(1).number(0));
            case "TROUBLE" -> new Trouble(line.requireFields(1).field(0));
            case "BYE" -> new Bye(clocks(line.requireFields(2), 0));
            default -> throw new IllegalArgumentException("Unknown message '" + text + "'");
        };
    }

    private static Hello hello(Line line) {
        return new Hello(line.field(0), line.smallNumber(1), clocks(line, 2));
    }

    private static Clocks clocks(Line line, int first) {
        return new Clocks(line.number(first), line.number(first + 1));
    }

    private static Grasp grasp(Line line) {
        return new Grasp(line.smallNumber(1), line.number(2));
    }

    private static Resources.Values values(Line line) {
        return new Resources.Values(line.number(3), line.number(4), line.number(5));
    }

    private static Event event(Line line) {
        return new Event(
                0,
                line.number(0),
                0,
                line.constant(1, Event.Op.class),
                line.constant(2, Event.Phase.class),
                line.smallNumber(3),
                line.number(4),
                0,
                line.number(5),
                line.number(6),
                0,
                line.field(7));
    }
}
