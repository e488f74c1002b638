package org.mongolocks.study.process.message;

import org.mongolocks.study.history.Event;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.server.ProtectedResources;

/**
 * A message from a child to its parent, one line each. Times are nanoseconds of {@link System#nanoTime()}, which all
 * processes of a machine share.
 */
public sealed interface ChildMessage {
    /** Returns the message as a line. */
    ProtocolLine line();

    /** Reports that the child has connected. The key identifies it; the times show the state of its clocks. */
    record Hello(String key, int child, Clocks clocks) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("HELLO", key, child, clocks.nanos(), clocks.wallMillis());
        }
    }

    /** Reports an event; the number of the grant is the child's own. */
    record Happened(Event event) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of(
                    "EVENT",
                    event.atNanos(),
                    event.op(),
                    event.phase(),
                    event.grant(),
                    event.token(),
                    event.fromNanos(),
                    event.untilNanos(),
                    event.note(),
                    event.lock());
        }
    }

    /** Requests the number of the lock that a worker acquires next, and waits for it. */
    record Next(int worker, String technique) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("NEXT", worker, technique);
        }
    }

    /** Requests the values of the resources for a holder. */
    record Read(int worker, GrantToken grantToken) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("READ", worker, grantToken.grant(), grantToken.token(), grantToken.lock());
        }
    }

    /** Writes the values plus one for a holder, and waits until they are written. */
    record Write(int worker, GrantToken grantToken, ProtectedResources.Values values) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of(
                    "WRITE",
                    worker,
                    grantToken.grant(),
                    grantToken.token(),
                    values.unfenced(),
                    values.fenced(),
                    values.touchFenced(),
                    grantToken.lock());
        }
    }

    /** Reports that a holder has reached a fault point, and waits until it may continue. */
    record Reached(int worker, FaultPoint moment) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("AT", worker, moment);
        }
    }

    /** Reports the number of commands sent so far. The first such line says that the child has begun. */
    record Sent(long commands) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("SENT", commands);
        }
    }

    /** Reports that the child cannot continue. */
    record Trouble(String what) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("TROUBLE", what);
        }
    }

    /**
     * Reports the memory in use after a garbage collection, in bytes, the number of live threads, and how many of them are
     * not in the bounded pools of an open client of the library.
     */
    record Usage(long heapBytes, int threads, int otherThreads) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("USAGE", heapBytes, threads, otherThreads);
        }
    }

    /** Reports the normal end of the child, and how many threads of its closed clients are left. */
    record Bye(Clocks clocks, int leftThreads) implements ChildMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("BYE", clocks.nanos(), clocks.wallMillis(), leftThreads);
        }
    }

    /** The grant with which a holder uses the resources: the child's number of it, its token, and its lock. */
    record GrantToken(int grant, long token, int lock) {
        /** Creates a grant of the only lock. */
        public GrantToken(int grant, long token) {
            this(grant, token, 0);
        }
    }

    /** The readings of a process's clocks at one time. */
    record Clocks(long nanos, long wallMillis) {
        public static Clocks now() {
            return new Clocks(System.nanoTime(), System.currentTimeMillis());
        }
    }

    /**
     * Parses a line.
     *
     * @throws IllegalArgumentException if it is invalid; the message says why
     */
    static ChildMessage parse(String text) {
        ProtocolLine line = ProtocolLine.parse(text);
        return switch (line.word()) {
            case "HELLO" -> hello(line.requireFields(4));
            case "EVENT" -> new Happened(event(line.requireFields(9)));
            case "NEXT" -> new Next(line.requireFields(2).smallNumber(0), line.field(1));
            case "READ" -> new Read(line.requireFields(4).smallNumber(0), grantToken(line, 3));
            case "WRITE" -> new Write(line.requireFields(7).smallNumber(0), grantToken(line, 6), values(line));
            case "AT" -> new Reached(line.requireFields(2).smallNumber(0), line.constant(1, FaultPoint.class));
            case "SENT" -> new Sent(line.requireFields(1).number(0));
            case "TROUBLE" -> new Trouble(line.requireFields(1).field(0));
            case "USAGE" -> new Usage(line.requireFields(3).number(0), line.smallNumber(1), line.smallNumber(2));
            case "BYE" -> new Bye(clocks(line.requireFields(3), 0), line.smallNumber(2));
            default -> throw new IllegalArgumentException("Unknown message '" + text + "'");
        };
    }

    private static Hello hello(ProtocolLine line) {
        return new Hello(line.field(0), line.smallNumber(1), clocks(line, 2));
    }

    private static Clocks clocks(ProtocolLine line, int first) {
        return new Clocks(line.number(first), line.number(first + 1));
    }

    private static GrantToken grantToken(ProtocolLine line, int lock) {
        return new GrantToken(line.smallNumber(1), line.number(2), line.smallNumber(lock));
    }

    private static ProtectedResources.Values values(ProtocolLine line) {
        return new ProtectedResources.Values(line.number(3), line.number(4), line.number(5));
    }

    private static Event event(ProtocolLine line) {
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
                line.field(7),
                line.smallNumber(8));
    }
}
