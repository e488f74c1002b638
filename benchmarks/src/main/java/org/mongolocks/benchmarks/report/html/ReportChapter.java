package org.mongolocks.benchmarks.report.html;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.mongolocks.benchmarks.report.chart.ChartData;
import org.mongolocks.benchmarks.result.Metric;

/** A chapter of the report: benchmarks that answer one question. */
enum ReportChapter {
    ALONE("Alone", "What a lock costs when nobody else wants it.", "B1"),
    CONTENTION("Contention", "What happens when many want one lock.", "B6 B14"),
    HAND_OFF("Hand-off", "How soon a released lock goes to who waits for it.", "B5"),
    RECOVERY("Recovery", "How soon a lock comes free when its holder is gone.", "B9"),
    LOAD("Load", "Many locks, and work that comes at its own pace.", "B11 B15"),
    COST("Cost", "What a lock costs the client, the network and the replica set.", "B10"),
    MORE("More", "What else was measured.", "");

    private static final Set<String> COSTS = Set.of("cpu", "allocation", "idleCommands");
    private static final Set<String> OF_THE_CLIENT = Set.of("cpu", "allocation");

    private final String title;
    private final String question;
    private final String benchmarks;

    ReportChapter(String title, String question, String benchmarks) {
        this.title = title;
        this.question = question;
        this.benchmarks = " " + benchmarks + " ";
    }

    static ReportChapter of(ChartData data) {
        ReportChapter own = Arrays.stream(values())
                .filter(chapter -> chapter.benchmarks.contains(" " + data.benchmark() + " "))
                .findFirst()
                .orElse(MORE);
        return own != LOAD && COSTS.contains(data.metric().name()) ? COST : own;
    }

    /** Returns whether a chart is of minor interest: client costs of operations other than acquire and release. */
    static boolean isMinor(ChartData data) {
        return !data.benchmark().equals("B1")
                && OF_THE_CLIENT.contains(data.metric().name());
    }

    /** Returns whether the ratios of a chart to the baseline are worth a chart of their own. */
    static boolean isComparedWithBaseline(ChartData data) {
        return data.metric().equals(Metric.LATENCY)
                || (OF_THE_CLIENT.contains(data.metric().name()) && !isMinor(data));
    }

    /** Returns whether the figures of a chart depend on other load on the machine. */
    static boolean isTimed(ChartData data) {
        return data.metric().isTimed()
                || (data.isAgainstBaseline() && !data.metric().name().startsWith("allocation"));
    }

    String title() {
        return title;
    }

    String question() {
        return question;
    }

    String id() {
        return "chapter-" + title.toLowerCase(Locale.ROOT);
    }
}
