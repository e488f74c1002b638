package org.mongolocks.benchmarks.report.html;

import java.util.List;
import org.mongolocks.benchmarks.report.chart.ContenderStyles;
import org.mongolocks.benchmarks.report.chart.QuantityFormat;
import org.mongolocks.benchmarks.report.choice.BestChoice;
import org.mongolocks.benchmarks.report.choice.UseCaseMetric;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.html.HtmlElement;

/**
 * A comparison of each peer with the fastest strategy, in the rounds in which both ran, together with the guarantees of
 * the peer.
 */
final class OtherLibraryComparison {
    private final Results results;
    private final ContenderStyles styles;

    OtherLibraryComparison(Results results, ContenderStyles styles) {
        this.results = results;
        this.styles = styles;
    }

    List<HtmlElement> html() {
        BestChoice strategies = UseCaseMetric.ALONE.choice(results.run().figures(), Client.SYNC, ids(Kind.STRATEGY));
        List<HtmlElement> lines = strategies.isEmpty()
                ? List.of()
                : peers().stream()
                        .map(peer -> line(peer, strategies.leaders().get(0)))
                        .toList();
        return lines.isEmpty()
                ? List.of()
                : List.of(
                        HtmlElement.of("h3", "Beside other libraries, acquire and release alone"),
                        HtmlElement.of("ul", lines));
    }

    private List<Measurement> peers() {
        List<String> ids = ids(Kind.PEER);
        return UseCaseMetric.ALONE.figures(results.measurements(), Client.SYNC).stream()
                .filter(one -> ids.contains(one.subject().contender()))
                .toList();
    }

    private List<String> ids(Kind kind) {
        return results.sound(kind).map(LockUnderTest::id).toList();
    }

    private HtmlElement line(Measurement peer, Measurement best) {
        String id = peer.subject().contender();
        String value = QuantityFormat.of(peer.value().value(), peer.metric().unit());
        return HtmlElement.of(
                "li", styles.title(id) + ": " + value + ", " + beside(peer, best) + styles.guarantees(id));
    }

    private String beside(Measurement peer, Measurement best) {
        String name = styles.title(best.subject().contender());
        BestChoice choice = UseCaseMetric.ALONE.choice(
                results.run().figures(),
                Client.SYNC,
                List.of(best.subject().contender(), peer.subject().contender()));
        if (!choice.isOne()) {
            return "not told apart from " + name + ". "
                    + choice.whatWouldDecide(results.conditions().minutes()) + " It is ";
        }
        return (choice.leaders().contains(peer) ? "faster than " : "slower than ") + name + "; ";
    }
}
