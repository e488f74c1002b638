package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.ProtectedData;
import org.mongolocks.benchmarks.measure.Session;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Subject;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/** The rounds of the hand-off benchmark, with every lock under test and the baselines in each round. */
final class HandOffRun {
    /** Long enough for about twenty hand-offs. */
    private static final Duration TURN = Duration.ofMillis(250);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Session session;
    private final Lineup lineup;
    private final List<NotificationFloor> notifications;
    private final Map<Client, Series> events = new EnumMap<>(Client.class);
    private final Map<Rival, Series> relays = new LinkedHashMap<>();

    HandOffRun(Session session, Lineup lineup) {
        this.session = session;
        this.lineup = lineup;
        this.notifications = Stream.of(Client.values())
                .map(client -> new NotificationFloor(session.bench(), client))
                .toList();
    }

    void run(Duration time) throws InterruptedException {
        List<Rival> rivals = lineup.thatWait();
        Rounds rounds = Rounds.within(session, time, rivals.size() + notifications.size(), TURN);
        rounds.each(counts -> {
            for (NotificationFloor floor : notifications) {
                session.attempt(NotificationFloor.ID, () -> keep(series(floor), floor.run(rounds.turn()), counts));
            }
            lineup.each(rivals, rival -> keep(series(rival), relay(rival, pace(rival, rounds.turn(), counts)), counts));
        });
        record();
    }

    private Series series(NotificationFloor floor) {
        return events.computeIfAbsent(floor.client(), unknown -> new Series());
    }

    private Series series(Rival rival) {
        return relays.computeIfAbsent(rival, unknown -> new Series());
    }

    private static void keep(Series series, Histogram nanos, boolean counts) {
        if (counts) {
            series.add(nanos);
        }
    }

    private static Pace pace(Rival rival, Duration turn, boolean counts) {
        return counts ? Pace.measured(rival.waiting(), turn) : Pace.warmingUp(turn);
    }

    private Histogram relay(Rival rival, Pace pace) throws InterruptedException {
        ProtectedData data = session.bench().protectedData(rival.id());
        LockRequest request =
                LockRequest.of("hand-off-" + UUID.randomUUID(), Workbench.TTL).waitAtMost(PATIENCE);
        try (Party first = rival.open();
                Party second = rival.open()) {
            return new Relay(request, data, pace).run(first, second);
        } finally {
            session.judge(rival.id(), data.violations());
        }
    }

    private void record() {
        events.forEach((client, series) -> {
            if (!series.isEmpty()) {
                session.record(series.measurement(subject(NotificationFloor.ID, client), Metric.LATENCY));
            }
        });
        boolean hasFloor = session.isIn(HandOffFloor.ID);
        relays.forEach((rival, series) -> record(rival, series, hasFloor ? floorOf(rival.client()) : new Series()));
    }

    private Series floorOf(Client client) {
        return relays.entrySet().stream()
                .filter(relay -> relay.getKey().id().equals(HandOffFloor.ID))
                .filter(relay -> relay.getKey().client() == client)
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(Series::new);
    }

    private void record(Rival rival, Series series, Series floor) {
        if (series.isEmpty()) {
            return;
        }
        Measurement latency = series.measurement(subject(rival.id(), rival.client()), Metric.LATENCY);
        boolean isCompared =
                !floor.isEmpty() && series != floor && rival.commands().isPresent();
        session.record(isCompared ? latency.with(series.ratioTo(HandOffFloor.ID, floor)) : latency);
    }

    private static Subject subject(String contender, Client client) {
        return Subject.of(HandOff.ID, contender, client);
    }
}
