package org.mongolocks.benchmarks.page;

import java.util.List;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Measurement;

/** A comparison of each peer with the fastest strategy, together with the guarantees of the peer. */
final class PeerAnswer {
    private static final Yardstick ALONE = Yardstick.of("B1", "latency");

    private final Results results;
    private final Cast cast;

    PeerAnswer(Results results, Cast cast) {
        this.results = results;
        this.cast = cast;
    }

    List<Tag> html() {
        Choice strategies = Choice.among(of(Kind.STRATEGY), false);
        List<Tag> lines = strategies.isNobody()
                ? List.of()
                : of(Kind.PEER).stream()
                        .map(peer -> line(peer, strategies.leaders().get(0)))
                        .toList();
        return lines.isEmpty()
                ? List.of()
                : List.of(Tag.of("h3", "Beside other libraries, acquire and release alone"), Tag.of("ul", lines));
    }

    private List<Measurement> of(Kind kind) {
        List<String> ids = results.sound(kind).map(Contender::id).toList();
        return ALONE.figures(results, Client.SYNC).stream()
                .filter(one -> ids.contains(one.subject().contender()))
                .toList();
    }

    private Tag line(Measurement peer, Measurement best) {
        String id = peer.subject().contender();
        String value = Quantity.of(peer.value().value(), peer.metric().unit());
        return Tag.of("li", cast.title(id) + ": " + value + ", " + beside(peer, best) + "; " + cast.promise(id));
    }

    private String beside(Measurement peer, Measurement best) {
        String name = cast.title(best.subject().contender());
        if (results.isNoisy(ALONE) || !Choice.isToldApart(best, peer)) {
            return "not told apart from " + name;
        }
        return (peer.value().value() < best.value().value() ? "faster than " : "slower than ") + name;
    }
}
