package org.mongolocks.benchmarks.report.html;

import java.util.List;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.html.HtmlElement;

/** A comparison of each peer with the fastest strategy, together with the guarantees of the peer. */
final class OtherLibraryComparison {
    private static final UseCaseMetric ALONE = UseCaseMetric.of("B1", "latency");

    private final Results results;
    private final ContenderStyles styles;

    OtherLibraryComparison(Results results, ContenderStyles styles) {
        this.results = results;
        this.styles = styles;
    }

    List<HtmlElement> html() {
        BestChoice strategies = BestChoice.among(of(Kind.STRATEGY), false);
        List<HtmlElement> lines = strategies.isNobody()
                ? List.of()
                : of(Kind.PEER).stream()
                        .map(peer -> line(peer, strategies.leaders().get(0)))
                        .toList();
        return lines.isEmpty()
                ? List.of()
                : List.of(
                        HtmlElement.of("h3", "Beside other libraries, acquire and release alone"),
                        HtmlElement.of("ul", lines));
    }

    private List<Measurement> of(Kind kind) {
        List<String> ids = results.sound(kind).map(LockUnderTest::id).toList();
        return ALONE.figures(results, Client.SYNC).stream()
                .filter(one -> ids.contains(one.subject().contender()))
                .toList();
    }

    private HtmlElement line(Measurement peer, Measurement best) {
        String id = peer.subject().contender();
        String value = QuantityFormat.of(peer.value().value(), peer.metric().unit());
        return HtmlElement.of(
                "li", styles.title(id) + ": " + value + ", " + beside(peer, best) + "; " + styles.promise(id));
    }

    private String beside(Measurement peer, Measurement best) {
        String name = styles.title(best.subject().contender());
        if (results.isNoisy(ALONE) || !BestChoice.isDistinct(best, peer)) {
            return "not told apart from " + name;
        }
        return (peer.value().value() < best.value().value() ? "faster than " : "slower than ") + name;
    }
}
