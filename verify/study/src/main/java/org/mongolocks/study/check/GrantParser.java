package org.mongolocks.study.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;
import org.mongolocks.study.history.History;

/** Extracts the grants of a history, in one pass. */
final class GrantParser {
    private final Map<Integer, GrantBuilder> builders = new LinkedHashMap<>();
    private final Map<Integer, List<Interval>> pauses = new HashMap<>();

    private GrantParser() {}

    static List<Grant> of(History history, Claims claims) {
        GrantParser grants = new GrantParser();
        history.events().forEach(grants::take);
        return grants.builders.values().stream()
                .filter(GrantBuilder::isGranted)
                .map(builder -> builder.build(claims, history.ttlNanos()))
                .toList();
    }

    private void take(Event event) {
        if (event.op() == Op.PAUSE) {
            pause(event);
        } else if (event.op() == Op.CRASH) {
            builders.values().stream()
                    .filter(builder -> builder.process() == event.process())
                    .forEach(builder -> builder.crashed(event.atNanos()));
        } else if (event.is(Op.ACQUIRE, Phase.INVOKE)) {
            builders.put(event.grant(), new GrantBuilder(event, pausesOf(event.process())));
        } else if (event.grant() != 0) {
            builder(event).take(event);
        }
    }

    private GrantBuilder builder(Event event) {
        GrantBuilder builder = builders.get(event.grant());
        if (builder == null) {
            throw new IllegalArgumentException("No request for the grant of this event: " + event);
        }
        return builder;
    }

    /** A pause without an end in the history lasts forever. */
    private void pause(Event event) {
        List<Interval> known = pausesOf(event.process());
        if (event.phase() == Phase.INVOKE) {
            known.add(new Interval(0, event.atNanos(), Long.MAX_VALUE));
        } else if (!known.isEmpty()) {
            Interval last = known.remove(known.size() - 1);
            known.add(new Interval(0, last.fromNanos(), event.atNanos()));
        }
    }

    private List<Interval> pausesOf(int process) {
        return pauses.computeIfAbsent(process, id -> new ArrayList<>());
    }
}
