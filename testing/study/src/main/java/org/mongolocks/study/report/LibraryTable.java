package org.mongolocks.study.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;

/**
 * What libraries promise in their documentation, and what was seen: a row for each question, with an answer for each library.
 *
 * @param notRun the cells that could not run, by the reason
 */
public record LibraryTable(List<Row> rows, Map<String, List<String>> notRun) {
    /** The promises: library, question, answer, the sentence in our words, and its address. */
    private static final String PROMISES = "promises.txt";

    private static final int PARTS = 5;

    /** A question about what may happen with a lock. */
    @SuppressWarnings("ImmutableEnumChecker") // The sets are not changed.
    public enum Question {
        /** Mutual exclusion. */
        TWO_HOLDERS("two holders at once", EnumSet.of(Finding.HELD_TWICE, Finding.BELIEVED_TWICE)),
        /** Writes after the loss, past the fence of the tokens if there are some. */
        STALE_WRITE(
                "a late write is accepted",
                EnumSet.of(Finding.STALE_TOUCH_FENCED, Finding.TOKEN_REUSED, Finding.TOKEN_WENT_BACK)),
        /** Notice of a loss. */
        NOT_TOLD("a holder is not told of its loss", EnumSet.of(Finding.LOSS_NOT_TOLD)),
        /** Availability. */
        LEFT_FREE(
                "a free lock is granted to nobody",
                EnumSet.of(Finding.LEFT_FREE, Finding.LEAK, Finding.HELD_BY_NOBODY)),
        /** Ownership. */
        FOREIGN_RELEASE("a release ends another's lock", EnumSet.of(Finding.FOREIGN_RELEASE));

        private final String words;
        private final Set<Finding> findings;

        Question(String words, Set<Finding> findings) {
            this.words = words;
            this.findings = findings;
        }

        public String words() {
            return words;
        }

        /** Returns the findings that answer it. Without tokens no fence can refuse a late write, and an update is lost. */
        private Set<Finding> findings(Column column) {
            return this == STALE_WRITE && !column.hasTokens() ? EnumSet.of(Finding.UPDATE_LOST) : findings;
        }
    }

    /**
     * A sentence of the documentation of a library.
     *
     * @param answer "yes" if it promises that this does not happen, "partly", or "no"
     */
    public record Promise(String library, Question question, String answer, String sentence, String url) {}

    /** A row. */
    public record Row(Question question, List<Answer> answers) {}

    /**
     * What one library promises, and what was seen.
     *
     * @param cells the cells with findings
     * @param seen in how many runs something was found
     * @param longestNanos the longest time until a holder learned of its loss, or in which a lock was free; 0 if there was none
     */
    public record Answer(
            String library,
            String title,
            Optional<Promise> promise,
            List<Seen> cells,
            int seen,
            int runs,
            long longestNanos) {
        /** Returns "yes", "partly", "no", or "–" if the documentation is not known. */
        public String promised() {
            return promise.map(Promise::answer).orElse("–");
        }

        /** Returns the longest time in words; empty if there was none. */
        public String longest() {
            return longestNanos == 0 ? "" : String.format(Locale.ROOT, "%.1f s", longestNanos / 1e9);
        }
    }

    /** The runs of a row of the matrix in which something was found, with the id of its section. */
    public record Seen(String id, String scenario, int runs) {}

    /** Compares the promises of libraries with what was seen. */
    public static LibraryTable of(Matrix matrix, List<? extends Column> columns, Map<String, List<String>> notRun) {
        List<Promise> promises = promises();
        return new LibraryTable(
                Stream.of(Question.values())
                        .map(question -> new Row(
                                question,
                                columns.stream()
                                        .<Answer>map(column -> answer(matrix, column, question, promises))
                                        .toList()))
                        .toList(),
                notRun);
    }

    private static Answer answer(Matrix matrix, Column column, Question question, List<Promise> promises) {
        Set<Finding> findings = question.findings(column);
        List<Cell> its = matrix.cells().stream()
                .filter(cell -> cell.technique().equals(column.name()))
                .toList();
        List<Seen> seen = its.stream()
                .map(cell -> new Seen(CellSection.id(cell), cell.scenario(), runs(cell, findings)))
                .filter(one -> one.runs() > 0)
                .toList();
        return new Answer(
                column.name(),
                column instanceof Library library ? library.peer().title() : column.name(),
                promises.stream()
                        .filter(one -> one.library().equals(column.name()) && one.question() == question)
                        .findFirst(),
                seen,
                seen.stream().mapToInt(Seen::runs).sum(),
                its.stream().mapToInt(Cell::runs).sum(),
                its.stream()
                        .flatMap(cell -> findings.stream()
                                .map(finding -> cell.totals().longestNanos().getOrDefault(finding, 0L)))
                        .max(Long::compare)
                        .orElse(0L));
    }

    private static int runs(Cell cell, Set<Finding> findings) {
        return findings.stream().mapToInt(cell::count).max().orElse(0);
    }

    static List<Promise> promises() {
        try (InputStream in = Objects.requireNonNull(LibraryTable.class.getResourceAsStream(PROMISES))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split("\\s*\\|\\s*", PARTS))
                    .map(parts -> new Promise(parts[0], Question.valueOf(parts[1]), parts[2], parts[3], parts[4]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the table for a terminal. */
    public String text() {
        String questions = rows.stream().map(LibraryTable::block).collect(Collectors.joining("\n\n"));
        String omitted = notRun.entrySet().stream()
                .map(one -> "Not run, because " + one.getKey() + ": " + String.join(", ", one.getValue()))
                .collect(Collectors.joining("\n"));
        return questions
                + "\n\nPromised: whether the documentation says that this does not happen. Seen: in how many of the runs it did.\n"
                + omitted;
    }

    private static String block(Row row) {
        String head = String.format(Locale.ROOT, "%-34s%-10s%s", row.question().words(), "promised", "seen");
        Stream<String> lines = row.answers().stream()
                .map(answer -> String.format(
                        Locale.ROOT,
                        "  %-32s%-10s%s",
                        answer.library(),
                        answer.promised(),
                        seen(row.question(), answer)));
        return Stream.concat(Stream.of(head), lines).collect(Collectors.joining("\n"));
    }

    private static String seen(Question question, Answer answer) {
        String times = question == Question.NOT_TOLD && answer.longestNanos() > 0
                ? "; unaware for " + answer.longest() + " at most"
                : question == Question.LEFT_FREE && answer.longestNanos() > 0
                        ? "; free for " + answer.longest() + " at most"
                        : "";
        String runs = answer.cells().stream()
                .map(one -> one.scenario() + " " + one.runs())
                .collect(Collectors.joining(", "));
        return (answer.seen() == 0
                        ? "no (" + answer.runs() + " runs)"
                        : answer.seen() + " of " + answer.runs() + ": " + runs)
                + times;
    }

    /** Returns the promises of a library about findings. */
    Stream<Promise> promises(String library, Set<Finding> found) {
        return rows.stream()
                .filter(row -> row.question().findings.stream().anyMatch(found::contains))
                .flatMap(row -> row.answers().stream())
                .filter(answer -> answer.library().equals(library))
                .flatMap(answer -> answer.promise().stream());
    }

    /** Returns whether the documentation promises, at least partly, that a finding does not occur. */
    boolean isPromised(String library, Finding finding) {
        return rows.stream()
                .filter(row -> row.question().findings.contains(finding))
                .flatMap(row -> row.answers().stream())
                .filter(answer -> answer.library().equals(library))
                .anyMatch(answer -> !answer.promised().equals("no"));
    }
}
