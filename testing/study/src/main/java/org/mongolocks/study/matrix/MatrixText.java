package org.mongolocks.study.matrix;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation.Finding;

/** A matrix as a table of text: for each scenario a line for each technique. Counts are of runs; a dot is none. */
public final class MatrixText {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final List<Column> COLUMNS = List.of(
            new Column("runs", cell -> Integer.toString(cell.runs())),
            counts("held", Finding.HELD_TWICE),
            counts("believed", Finding.BELIEVED_TWICE),
            counts("stale", Finding.STALE_UNFENCED),
            counts("f-write", Finding.STALE_FENCED),
            counts("f-touch", Finding.STALE_TOUCH_FENCED),
            counts("guarded", Finding.STALE_GUARDED),
            counts("g-lost", Finding.GUARDED_LOST),
            counts("lost", Finding.UPDATE_LOST),
            counts("token", Finding.TOKEN_REUSED),
            counts("back", Finding.TOKEN_WENT_BACK),
            counts("foreign", Finding.FOREIGN_RELEASE),
            counts("count", Finding.MISCOUNTED),
            counts("turn", Finding.OUT_OF_TURN),
            counts("led", Finding.LED_TWICE),
            counts("stuck", Finding.STUCK),
            counts("document", Finding.DOCUMENT_OVERWRITTEN),
            counts("nobody", Finding.HELD_BY_NOBODY),
            counts("slow", Finding.SLOW_HANDOVER),
            counts("leak", Finding.LEAK),
            counts("late", Finding.HAND_OVER_LATE),
            counts("notice", Finding.LOSS_NOTICED_LATE),
            counts("starved", Finding.STARVED),
            counts("loss", Finding.LOCK_LOST),
            counts("failed", Finding.ACQUIRE_FAILED),
            counts("untold", Finding.LOSS_NOT_TOLD),
            counts("free", Finding.LEFT_FREE),
            new Column("aborts", cell -> Long.toString(cell.totals().aborts())),
            new Column("rec p50", cell -> seconds(cell.recovery(0.5))),
            new Column("rec max", cell -> seconds(cell.recovery(1))),
            new Column("handoff", cell -> seconds(OptionalLong.of(cell.totals().longestHandoffNanos()))),
            new Column("cmds/grant", cell -> String.format(Locale.ROOT, "%.1f", cell.commandsPerGrant())),
            new Column("of streams", cell -> String.format(Locale.ROOT, "%.1f", cell.streamCommandsPerGrant())));

    private MatrixText() {}

    /** A column of the table. */
    private record Column(String name, Function<Cell, String> value) {}

    /** Formats a matrix. */
    public static String of(Matrix matrix) {
        return matrix.scenarios().map(scenario -> block(matrix, scenario)).collect(Collectors.joining("\n\n"));
    }

    private static String block(Matrix matrix, String scenario) {
        Stream<String> lines = matrix.cells().stream()
                .filter(cell -> cell.scenario().equals(scenario))
                .map(cell -> line(cell.technique(), column -> column.value().apply(cell)));
        return Stream.concat(Stream.of(line(scenario, Column::name)), lines).collect(Collectors.joining("\n"));
    }

    private static String line(String first, Function<Column, String> value) {
        return String.format(Locale.ROOT, "%-31s", first)
                + COLUMNS.stream()
                        .map(column -> String.format(
                                Locale.ROOT, "%" + (column.name().length() + 2) + "s", value.apply(column)))
                        .collect(Collectors.joining());
    }

    private static Column counts(String name, Finding finding) {
        return new Column(name, cell -> cell.count(finding) == 0 ? "." : Integer.toString(cell.count(finding)));
    }

    private static String seconds(OptionalLong nanos) {
        return nanos.isEmpty() ? "-" : String.format(Locale.ROOT, "%.1f", nanos.getAsLong() / NANOS_PER_SECOND);
    }
}
