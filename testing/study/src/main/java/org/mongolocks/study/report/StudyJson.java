package org.mongolocks.study.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.reporting.Json;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Cell.Example;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.report.FindingExplanation.Severity;
import org.mongolocks.study.report.StudyFiles.StudyEnvironment;

/** A matrix as JSON: always the same bytes, except {@code startedAt} and {@code durationMillis}. */
final class StudyJson {
    private final StudyEnvironment venue;

    StudyJson(StudyEnvironment venue) {
        this.venue = venue;
    }

    /**
     * @param missing how many cells have not been run
     */
    String of(Matrix matrix, Optional<LibraryTable> libraries, int missing, Instant startedAt, Duration duration) {
        List<BsonDocument> cells = matrix.cells().stream().map(this::cell).toList();
        BsonDocument head = new BsonDocument("format", new BsonInt32(1));
        venue.server().ifPresent(server -> head.append("realProcessesOn", new BsonString(server)));
        libraries.ifPresent(table -> head.append("libraries", libraries(table)));
        return Json.indented(head.append("startedAt", new BsonString(startedAt.toString()))
                        .append("durationMillis", new BsonInt64(duration.toMillis()))
                        .append("complete", BsonBoolean.valueOf(missing == 0))
                        .append("missingCells", new BsonInt32(missing))
                        .append("runs", new BsonInt64(matrix.runs()))
                        .append("events", new BsonInt64(matrix.events()))
                        .append("cells", new BsonArray(cells)))
                + "\n";
    }

    private static BsonArray libraries(LibraryTable table) {
        return new BsonArray(table.rows().stream()
                .flatMap(row -> row.answers().stream().map(answer -> answer(row, answer)))
                .toList());
    }

    private static BsonDocument answer(LibraryTable.Row row, LibraryTable.Answer answer) {
        BsonDocument json = new BsonDocument(
                        "technique", new BsonString(answer.library().name()))
                .append("title", new BsonString(answer.library().title()))
                .append("leaseMillis", new BsonInt64(answer.library().ttl().toMillis()))
                .append("question", new BsonString(row.question().name()))
                .append("promised", new BsonString(answer.promised()))
                .append("runs", new BsonInt32(answer.runs()))
                .append("seen", new BsonInt32(answer.seen()))
                .append("longestNanos", new BsonInt64(answer.longestNanos()));
        answer.promise()
                .ifPresent(promise -> json.append("sentence", new BsonString(promise.sentence()))
                        .append("url", new BsonString(promise.url())));
        return json;
    }

    private BsonDocument cell(Cell cell) {
        Cell.Totals totals = cell.totals();
        BsonDocument json = new BsonDocument("scenario", new BsonString(cell.scenario()))
                .append("technique", new BsonString(cell.technique()))
                .append("runs", new BsonInt32(cell.runs()))
                .append("shows", new BsonString(Severity.of(cell).name()))
                .append("findings", findings(cell))
                .append("grants", new BsonInt64(totals.grants()))
                .append("aborts", new BsonInt64(totals.aborts()))
                .append("commands", new BsonInt64(totals.commands()))
                .append("streamCommands", new BsonInt64(totals.streamCommands()))
                .append("commandsPerGrant", new BsonDouble(Math.round(cell.commandsPerGrant() * 100) / 100.0))
                .append("longestHandoff" + venue.nanos(), new BsonInt64(totals.longestHandoffNanos()));
        cell.recovery(0.5).ifPresent(nanos -> json.append("recoveryMedian" + venue.nanos(), new BsonInt64(nanos)));
        cell.recovery(1).ifPresent(nanos -> json.append("recoveryLongest" + venue.nanos(), new BsonInt64(nanos)));
        return json;
    }

    private static BsonArray findings(Cell cell) {
        return new BsonArray(cell.findings().keySet().stream()
                .sorted()
                .map(finding -> finding(cell, finding))
                .toList());
    }

    private static BsonDocument finding(Cell cell, Finding finding) {
        BsonDocument json = new BsonDocument("finding", new BsonString(finding.name()))
                .append("runs", new BsonInt32(cell.count(finding)));
        Example example = cell.examples().get(finding);
        if (example != null) {
            json.append("seed", new BsonInt64(example.seed())).append("events", events(example));
        }
        return json;
    }

    private static BsonArray events(Example example) {
        return new BsonArray(example.counterExample().events().stream()
                .map(Event::line)
                .map(BsonDocument::parse)
                .toList());
    }
}
