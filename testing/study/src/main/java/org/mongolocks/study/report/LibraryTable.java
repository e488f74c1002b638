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
import org.mongolocks.peers.PeerLibrary;
import org.mongolocks.study.check.Violation.Finding;
import org.mongolocks.study.matrix.Cell;
import org.mongolocks.study.matrix.Matrix;

/**
 * What libraries promise in their documentation, and what was seen: a row for each question, with an answer for each library.
 *
 * @param recoveries that of each library
 * @param notRun the cells that could not run, by the reason
 */
public record LibraryTable(List<Row> rows, List<Recovery> recoveries, Map<String, List<String>> notRun) {
    /** The promises: library, question, answer, the sentence in our words, and its address. */
    private static final String PROMISES = "promises.txt";

    private static final int PARTS = 5;
    private static final String LINE = "  %-32s%-10s%s";

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
        NOT_TOLD(
                "a holder is not told of its loss: when it asks, by a listener, or by a release that is refused or fails",
                EnumSet.of(Finding.LOSS_NOT_TOLD)),
        /** Availability. */
        LEFT_FREE(
                "a free lock is granted to nobody for longer than a lease and five seconds while somebody asked",
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
        private Set<Finding> findings(PeerLibrary library) {
            return this == STALE_WRITE && !library.hasTokens() ? EnumSet.of(Finding.UPDATE_LOST) : findings;
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
     * @param promise empty if the documentation is not known
     * @param cells the cells with findings
     * @param runs the number of all runs
     * @param longestNanos the longest time until a holder learned of its loss, or in which a lock was free; 0 if there was none
     */
    public record Answer(
            PeerLibrary library, Optional<Promise> promise, List<Seen> cells, int runs, long longestNanos) {
        /** Returns "yes", "partly", "no", or "–" if the documentation is not known. */
        public String promised() {
            return promise.map(Promise::answer).orElse("–");
        }

        /** Returns in how many runs something was found. */
        public int seen() {
            return cells.stream().mapToInt(Seen::runs).sum();
        }

        /** Returns the number of runs in words, with the longest time if there was one. */
        public String summary() {
            return runs == 0
                    ? "not run"
                    : (seen() == 0 ? "no" : seen()) + " of " + runs
                            + (longestNanos == 0 ? "" : ", longest " + seconds(longestNanos));
        }
    }

    /** After which time the lock of a killed holder was granted again, beside the lease. */
    public record Recovery(PeerLibrary library, String words) {}

    /** The runs of a row of the matrix with the most frequent of the findings, and the id of its section. */
    public record Seen(String id, String scenario, int runs) {}

    /** Compares the promises of libraries with what was seen. */
    public static LibraryTable of(Matrix matrix, List<PeerLibrary> libraries, Map<String, List<String>> notRun) {
        List<Promise> promises = promises();
        return new LibraryTable(
                Stream.of(Question.values())
                        .map(question -> new Row(
                                question,
                                libraries.stream()
                                        .map(library -> answer(matrix, library, question, promises))
                                        .toList()))
                        .toList(),
                libraries.stream().map(library -> recovery(matrix, library)).toList(),
                notRun);
    }

    private static Stream<Cell> cells(Matrix matrix, PeerLibrary library) {
        return matrix.cells().stream().filter(cell -> cell.technique().equals(library.name()));
    }

    private static Answer answer(Matrix matrix, PeerLibrary library, Question question, List<Promise> promises) {
        Set<Finding> findings = question.findings(library);
        return new Answer(
                library,
                promises.stream()
                        .filter(one -> one.library().equals(library.name()) && one.question() == question)
                        .findFirst(),
                cells(matrix, library)
                        .map(cell -> new Seen(
                                CellSection.id(cell),
                                cell.scenario(),
                                findings.stream().mapToInt(cell::count).max().orElse(0)))
                        .filter(one -> one.runs() > 0)
                        .toList(),
                cells(matrix, library).mapToInt(Cell::runs).sum(),
                cells(matrix, library)
                        .flatMap(cell -> findings.stream()
                                .map(finding -> cell.totals().longestNanos().getOrDefault(finding, 0L)))
                        .max(Long::compare)
                        .orElse(0L));
    }

    private static Recovery recovery(Matrix matrix, PeerLibrary library) {
        String words = cells(matrix, library)
                        .flatMap(cell -> cell.recovery(1).stream().boxed())
                        .max(Long::compare)
                        .map(nanos -> seconds(nanos) + " at most")
                        .orElse("not run")
                + ", lease " + library.ttl().toSeconds() + " s";
        return new Recovery(library, words);
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
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
        Stream<String> questions = rows.stream()
                .flatMap(row -> Stream.concat(
                        Stream.of("\n" + row.question().words()),
                        row.answers().stream().map(LibraryTable::line)));
        Stream<String> recovered = recoveries.stream().map(one -> line(one.library(), "", one.words()));
        Stream<String> omitted = notRun.entrySet().stream()
                .map(one -> "Not run, because " + one.getKey() + ": " + String.join(", ", one.getValue()));
        return Stream.of(
                        Stream.of(String.format(Locale.ROOT, LINE, "", "promised", "seen")),
                        questions,
                        Stream.of("\nthe lock of a killed holder is granted again"),
                        recovered,
                        Stream.of(
                                "\nPromised: whether the documentation says that this does not happen. Seen: in how many of"
                                        + " the runs it did."),
                        omitted)
                .flatMap(lines -> lines)
                .collect(Collectors.joining("\n"));
    }

    private static String line(Answer answer) {
        String runs = answer.cells().stream()
                .map(one -> one.scenario() + " " + one.runs())
                .collect(Collectors.joining(", "));
        return line(answer.library(), answer.promised(), answer.summary() + (runs.isEmpty() ? "" : ": " + runs));
    }

    private static String line(PeerLibrary library, String promised, String seen) {
        return String.format(Locale.ROOT, LINE, library.name(), promised, seen);
    }
}
