package org.mongolocks.study.process.message;

import java.util.List;
import java.util.stream.IntStream;

/** A message from a parent to a child, one line each. */
public sealed interface ParentMessage {
    /** The number in place of a lock's that tells a worker to end. */
    int NO_LOCK = -1;

    /** Returns the message as a line. */
    ProtocolLine line();

    /** Opens a client, and starts its workers; a child can have several. */
    record Start(ChildConfig assignment) implements ParentMessage {
        @Override
        public ProtocolLine line() {
            return assignment.line();
        }
    }

    /** Lets a waiting worker continue, with the numbers that it requested. */
    record Answer(int worker, List<Long> numbers) implements ParentMessage {
        public Answer {
            numbers = List.copyOf(numbers);
        }

        @Override
        public ProtocolLine line() {
            Object[] fields = new Object[numbers.size() + 1];
            fields[0] = worker;
            IntStream.range(0, numbers.size()).forEach(i -> fields[i + 1] = numbers.get(i));
            return ProtocolLine.of("GO", fields);
        }
    }

    /** Asks for the memory and the threads of the child. */
    record Measure() implements ParentMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("MEASURE");
        }
    }

    /** Ends the run: the child completes its work, releases its locks, and exits. */
    record Stop() implements ParentMessage {
        @Override
        public ProtocolLine line() {
            return ProtocolLine.of("STOP");
        }
    }

    /**
     * Parses a line.
     *
     * @throws IllegalArgumentException if it is invalid; the message says why
     */
    static ParentMessage parse(String text) {
        ProtocolLine line = ProtocolLine.parse(text);
        return switch (line.word()) {
            case ChildConfig.WORD -> new Start(ChildConfig.of(line));
            case "GO" -> answer(line);
            case "MEASURE" -> new Measure();
            case "STOP" -> new Stop();
            default -> throw new IllegalArgumentException("Unknown message '" + text + "'");
        };
    }

    private static Answer answer(ProtocolLine line) {
        if (line.fields().isEmpty()) {
            throw new IllegalArgumentException("GO must name a worker, was '" + line.text() + "'");
        }
        List<Long> numbers =
                IntStream.range(1, line.fields().size()).mapToObj(line::number).toList();
        return new Answer(line.smallNumber(0), numbers);
    }
}
