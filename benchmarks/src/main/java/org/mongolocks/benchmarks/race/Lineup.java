package org.mongolocks.benchmarks.race;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/** The measured operations of a paired benchmark: each strategy with each client. Closing it judges the violations. */
final class Lineup implements AutoCloseable {
    /** A factory of the measured operations of a strategy. */
    @FunctionalInterface
    interface Maker {
        List<Lane> lanes(Field field, LockStrategy strategy) throws InterruptedException;
    }

    private final Session session;
    private final List<Field> fields;

    Lineup(Session session, String benchmark) {
        this.session = session;
        this.fields = Stream.of(Client.values())
                .map(client -> new Field(session, benchmark, client))
                .toList();
    }

    List<Field> fields() {
        return fields;
    }

    List<Lane> lanes(Maker maker) throws InterruptedException {
        List<Lane> lanes = new ArrayList<>();
        for (Field field : fields) {
            for (LockStrategy strategy : session.strategies()) {
                session.attempt(strategy.name(), () -> lanes.addAll(maker.lanes(field, strategy)));
            }
        }
        return lanes;
    }

    @Override
    public void close() {
        fields.forEach(Field::close);
    }
}
