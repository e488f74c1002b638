package org.mongolocks.benchmarks.report;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.Choice;
import org.mongolocks.benchmarks.report.choice.Criterion;
import org.mongolocks.benchmarks.report.choice.Criterion.Contrast;
import org.mongolocks.benchmarks.report.choice.MeasuredRun;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementStatus.Status;

/**
 * The cost of each lock with the synchronous client beside what it promises: strategies and the locks of other
 * libraries. The terminal and the page show it.
 *
 * @param choice the choice that it led to, with which the others are compared
 */
public record CostTable(MeasuredRun run, Choice choice) {
    /** The names of the columns. */
    public static final List<String> COLUMNS = List.of(
            "lock",
            "time alone",
            "times the choice",
            "bytes",
            "contended",
            "fencing tokens",
            "clock",
            "durable when granted",
            "released by");

    /** What the columns mean. */
    public static final String LEGEND =
            "Time alone: the median to acquire and release one free lock. Times the choice: the same in the rounds in which"
                    + " both ran, if that differs clearly. Bytes: of a grant and its release. Contended: grants to the"
                    + " most waiters. –: no figure, or no clear difference. A lock that promises less may well be faster.";

    private static final String NONE = "–";

    /**
     * A row.
     *
     * @param cells the cells, the name excluded; if it was not measured, only the reason
     */
    public record Row(LockUnderTest lock, List<String> cells) {
        public Row {
            cells = List.copyOf(cells);
        }
    }

    /** Returns a row for each strategy and each lock of another library; those that were not measured come last. */
    public List<Row> rows() {
        List<LockUnderTest> locks = Stream.of(Kind.STRATEGY, Kind.PEER)
                .flatMap(kind -> run.contenders().stream().filter(one -> one.kind() == kind))
                .toList();
        return Stream.concat(
                        locks.stream().filter(CostTable::isMeasured),
                        locks.stream().filter(one -> !isMeasured(one)))
                .map(this::row)
                .toList();
    }

    private static boolean isMeasured(LockUnderTest one) {
        return one.verdict().status() == Status.MEASURED;
    }

    private Row row(LockUnderTest one) {
        if (!isMeasured(one)) {
            return new Row(
                    one,
                    List.of(one.verdict().status().id()
                            + one.verdict()
                                    .reason()
                                    .map(reason -> ": " + reason)
                                    .orElse("")));
        }
        Properties its = one.properties();
        return new Row(
                one,
                Stream.of(
                                figure(Criterion.ALONE, one),
                                beside(one),
                                figure(Criterion.BYTES, one),
                                figure(Criterion.CONTENDED, one),
                                its.fencing(),
                                its.clock(),
                                its.durability(),
                                its.ownerCheck())
                        .map(cell -> cell.isBlank() ? NONE : cell)
                        .toList());
    }

    private String figure(Criterion criterion, LockUnderTest one) {
        return criterion
                .figure(run, Client.SYNC, one.id())
                .map(CostTable::value)
                .orElse(NONE);
    }

    private static String value(Measurement figure) {
        return QuantityFormat.of(figure.value().value(), figure.metric().unit()).replace("/grant", "");
    }

    private String beside(LockUnderTest one) {
        Optional<Contrast> contrast =
                choice.strategy().flatMap(chosen -> Criterion.ALONE.contrast(run, Client.SYNC, one.id(), chosen));
        if (choice.strategy().filter(one.id()::equals).isPresent()) {
            return "1, the choice";
        }
        return contrast.map(found -> QuantityFormat.times(found.times())).orElse(NONE);
    }
}
