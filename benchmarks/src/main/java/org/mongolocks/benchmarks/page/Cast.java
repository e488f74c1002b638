package org.mongolocks.benchmarks.page;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Contender;
import org.mongolocks.benchmarks.result.Contender.Kind;
import org.mongolocks.benchmarks.result.Contender.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Verdict.Status;

/** The style, title and order of every contender, the same in all charts. */
final class Cast {
    private static final List<Kind> ORDER = List.of(Kind.FLOOR, Kind.STRATEGY, Kind.PEER);

    private final List<Contender> contenders;
    private final Map<String, Contender> byId;
    private final Map<String, Look> looks = new HashMap<>();

    Cast(List<Contender> contenders) {
        this.contenders = contenders.stream()
                .sorted(Comparator.comparing(contender -> ORDER.indexOf(contender.kind())))
                .toList();
        this.byId = contenders.stream()
                .collect(Collectors.toMap(Contender::id, Function.identity(), (first, second) -> first));
        dress(Kind.FLOOR, place -> Look.FLOOR);
        dress(Kind.STRATEGY, Look::ofStrategy);
        dress(Kind.PEER, Look::ofPeer);
    }

    private void dress(Kind kind, IntFunction<Look> look) {
        List<Contender> alike =
                contenders.stream().filter(one -> one.kind() == kind).toList();
        for (int place = 0; place < alike.size(); place++) {
            looks.put(alike.get(place).id(), look.apply(place));
        }
    }

    /** Returns all contenders: baselines first, peers last. */
    List<Contender> inOrder() {
        return contenders;
    }

    Look look(String id) {
        return looks.getOrDefault(id, Look.FLOOR);
    }

    String title(String id) {
        Contender contender = byId.get(id);
        return contender == null || contender.title().isBlank() ? id : contender.title();
    }

    /** Returns whether the figures of a contender are void because it violated mutual exclusion. */
    boolean isVoid(Measurement measurement) {
        Contender contender = byId.get(measurement.subject().contender());
        return contender != null && contender.verdict().status() == Status.VOID;
    }

    /** Returns the peers among the measured contenders. */
    List<Contender> peers(Collection<Measurement> measurements) {
        return contenders.stream()
                .filter(one -> one.kind() == Kind.PEER)
                .filter(one -> measurements.stream()
                        .anyMatch(figure -> figure.subject().contender().equals(one.id())))
                .toList();
    }

    /** Returns the guarantees of a contender in one line. */
    String promise(String id) {
        Properties promised = byId.get(id) == null
                ? Properties.ofFloor("unknown")
                : byId.get(id).properties();
        return "durable: " + promised.durability() + "; fencing: " + promised.fencing() + "; owner check: "
                + promised.ownerCheck() + "; clock: " + promised.clock() + ".";
    }

    /** Returns an order by contender, client and parameters. */
    Comparator<Measurement> order() {
        List<String> ids = contenders.stream().map(Contender::id).toList();
        return Comparator.<Measurement>comparingInt(
                        one -> ids.indexOf(one.subject().contender()))
                .thenComparing(one -> one.subject().client())
                .thenComparing(one -> one.subject().parameters().values().stream()
                        .map(Cast::sortable)
                        .collect(Collectors.joining(" ")));
    }

    private static String sortable(Object value) {
        return value instanceof Number number
                ? String.format(Locale.ROOT, "%020.6f", number.doubleValue())
                : value.toString();
    }
}
