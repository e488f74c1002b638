package org.mongolocks.study.process;

import org.mongolocks.study.history.Event;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Resources;

/** Is what a child tells its parent, a line each. Times are nanoseconds of {@link System#nanoTime()}, which all processes of a machine share. */
sealed interface Report {
    /** Gives the line. */
    Line line();

    /** It is there. The key shows that it is a child of ours; the times show what clocks it has. */
    record Hello(String key, int child, Clocks clocks) implements Report {
        @Override
        public Line line() {
            return Line.of("HELLO", key, child, clocks.nanos(), clocks.wallMillis());
        }
    }

    /** Something happened; the number of the grant is the child's own. */
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

    /** A holder reads the resources, and waits for what is in them. */
    record Read(int worker, Grasp grasp) implements Report {
        @Override
        public Line line() {
            return Line.of("READ", worker, grasp.grant(), grasp.token());
        }
    }

    /** A holder writes one more than it read, and waits until it is written. */
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

    /** A holder has come so far, and waits until it may go on. */
    record Reached(int worker, Moment moment) implements Report {
        @Override
        public Line line() {
            return Line.of("AT", worker, moment);
        }
    }

    /** So many commands were sent until now. The first such line says that the child has begun. */
    record Sent(long commands) implements Report {
        @Override
        public Line line() {
            return Line.of("SENT", commands);
        }
    }

    /** The child cannot go on. */
    record Trouble(String what) implements Report {
        @Override
        public Line line() {
            return Line.of("TROUBLE", what);
        }
    }

    /** The child has come to its end as it should. */
    record Bye(Clocks clocks) implements Report {
        @Override
        public Line line() {
            return Line.of("BYE", clocks.nanos(), clocks.wallMillis());
        }
    }

    /** Is with what a holder uses the resources: the child's number of the grant, and its token. */
    record Grasp(int grant, long token) {}

    /** Is what the clocks of a process show at a moment. */
    record Clocks(long nanos, long wallMillis) {
        static Clocks now() {
            return new Clocks(System.nanoTime(), System.currentTimeMillis());
        }
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is no such line; the message says why
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
            default -> throw new IllegalArgumentException("Nobody understands '" + text + "'");
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
