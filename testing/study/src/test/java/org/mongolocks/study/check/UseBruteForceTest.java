package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/**
 * Tests the checks of reentrancy, queue order and guarded writes against their definitions, on small random histories.
 */
class UseBruteForceTest {
    private static final int CASES = 10_000;
    private static final int GRANTS = 2;

    @Test
    void entriesAreCountedExactlyAsByAnOwnerLock() {
        int good = 0;
        for (long seed = 0; seed < CASES; seed++) {
            List<Event> events = entries(new SplittableRandom(seed));

            List<Long> found = times(ReentrancyCheck.check(events));

            assertThat(found).as("seed %d: %s", seed, events).isEqualTo(new OwnerLock(events).refused());
            good += found.isEmpty() ? 1 : 0;
        }
        assertThat(good).isBetween(CASES / 50, CASES - CASES / 50);
    }

    @Test
    void grantIsOutOfTurnExactlyIfALaterTicketWasGrantedBefore() {
        int good = 0;
        for (long seed = 0; seed < CASES; seed++) {
            List<Event> events = queueEvents(new SplittableRandom(seed));

            List<Long> found = times(FairnessCheck.outOfTurn(events));

            assertThat(found).as("seed %d: %s", seed, events).isEqualTo(overtaken(events));
            good += found.isEmpty() ? 1 : 0;
        }
        assertThat(good).isBetween(CASES / 50, CASES - CASES / 50);
    }

    @Test
    void aGuardedWriteIsStaleOrLostExactlyByDefinition() {
        int good = 0;
        for (long seed = 0; seed < CASES; seed++) {
            List<Event> events = writes(new SplittableRandom(seed));
            List<Grant> grants = events.stream()
                    .filter(event -> event.op() == Op.ACQUIRE)
                    .map(event ->
                            new Grant(event.grant(), 1, 1, event.commit(), 0, 0, 0, List.of(), Grant.Release.NONE))
                    .toList();

            List<Violation> found = WriteCheck.guarded(events, grants);

            assertThat(times(found)).as("seed %d: %s", seed, events).isEqualTo(staleOrLost(events));
            good += found.isEmpty() ? 1 : 0;
        }
        assertThat(good).isBetween(CASES / 50, CASES - CASES / 50);
    }

    private static List<Long> times(List<Violation> found) {
        return found.stream().map(Violation::atNanos).sorted().toList();
    }

    private static Event event(int seq, Op op, Phase phase, int grant, long... tokenCommitValue) {
        return new Event(
                seq, seq, 1, op, phase, grant, tokenCommitValue[0], tokenCommitValue[1], 0, 0, tokenCommitValue[2], "");
    }

    private static List<Event> entries(SplittableRandom random) {
        List<Event> events = new ArrayList<>();
        IntStream.rangeClosed(1, GRANTS)
                .forEach(grant -> events.add(event(events.size(), Op.ACQUIRE, Phase.OK, grant, grant, 0, 0)));
        int size = random.nextInt(3, 9);
        while (events.size() < size) {
            int grant = random.nextInt(1, GRANTS + 1);
            long token = random.nextInt(12) == 0 ? 9 : grant;
            int what = random.nextInt(9);
            Op op = what < 4 ? Op.ENTER : what < 7 ? Op.LEAVE : what < 8 ? Op.RELEASE : Op.LOST;
            Phase phase = op == Op.RELEASE ? Phase.INVOKE : Phase.OK;
            events.add(event(events.size(), op, phase, grant, token, 0, random.nextInt(1, 3)));
        }
        return events;
    }

    /** A lock that searches its whole history to decide whether an event is correct. */
    private static final class OwnerLock {
        private final List<Event> events;

        OwnerLock(List<Event> events) {
            this.events = events;
        }

        List<Long> refused() {
            Stream<Long> refused =
                    events.stream().filter(event -> !isRight(event)).map(Event::atNanos);
            long last = events.get(events.size() - 1).atNanos();
            Stream<Long> kept = hasEntries()
                    ? IntStream.rangeClosed(1, GRANTS)
                            .filter(grant -> wasEntered(grant, Long.MAX_VALUE)
                                    && count(grant, Long.MAX_VALUE) == 0
                                    && !isOver(grant, Long.MAX_VALUE))
                            .mapToObj(grant -> last)
                    : Stream.of();
            return Stream.concat(hasEntries() ? refused : Stream.of(), kept)
                    .sorted()
                    .toList();
        }

        private boolean hasEntries() {
            return events.stream().anyMatch(event -> event.op() == Op.ENTER);
        }

        private boolean isRight(Event event) {
            int grant = event.grant();
            return switch (event.op()) {
                case ENTER ->
                    event.token() == grant
                            && mayBeEntered(grant, event.seq())
                            && isOfFirstOwner(event)
                            && othersOf(event).noneMatch(other -> isIn(other, event.seq()));
                case LEAVE -> count(grant, event.seq()) > 0;
                case RELEASE -> count(grant, event.seq()) == 0;
                default -> true;
            };
        }

        /** Returns the newest grant that the owner has acquired, unless it is this one. */
        private Stream<Integer> othersOf(Event event) {
            return before(event.seq())
                    .filter(earlier -> earlier.op() == Op.ENTER && earlier.value() == event.value())
                    .reduce((one, later) -> later)
                    .map(Event::grant)
                    .filter(grant -> grant != event.grant())
                    .stream();
        }

        private boolean isOfFirstOwner(Event event) {
            return of(event.grant(), event.seq())
                    .filter(earlier -> earlier.op() == Op.ENTER)
                    .limit(1)
                    .allMatch(earlier -> earlier.value() == event.value());
        }

        private boolean mayBeEntered(int grant, long seq) {
            return !isOver(grant, seq) && (!wasEntered(grant, seq) || count(grant, seq) > 0);
        }

        private boolean isIn(int grant, long seq) {
            return !isOver(grant, seq) && count(grant, seq) > 0;
        }

        private boolean wasEntered(int grant, long seq) {
            return of(grant, seq).anyMatch(event -> event.op() == Op.ENTER);
        }

        private boolean isOver(int grant, long seq) {
            return of(grant, seq).anyMatch(event -> event.op() == Op.LOST || event.op() == Op.RELEASE);
        }

        private int count(int grant, long seq) {
            return of(grant, seq)
                    .map(Event::op)
                    .filter(op -> op == Op.ENTER || op == Op.LEAVE)
                    .reduce(0, (count, op) -> op == Op.ENTER ? count + 1 : Math.max(0, count - 1), Integer::sum);
        }

        private Stream<Event> of(int grant, long seq) {
            return before(seq).filter(event -> event.grant() == grant);
        }

        private Stream<Event> before(long seq) {
            return events.stream().filter(event -> event.seq() < seq);
        }
    }

    private static List<Event> queueEvents(SplittableRandom random) {
        int many = random.nextInt(1, 5);
        List<Event> events = new ArrayList<>();
        for (int grant = 1; grant <= many; grant++) {
            if (random.nextInt(4) > 0) {
                events.add(event(events.size(), Op.QUEUED, Phase.OK, grant, 0, random.nextInt(100), 0));
            }
        }
        for (int grant = 1; grant <= many; grant++) {
            if (random.nextInt(4) > 0) {
                events.add(event(events.size(), Op.ACQUIRE, Phase.OK, grant, 0, 100 + random.nextInt(1_000), 0));
            }
        }
        boolean isClear = events.stream().map(Event::commit).distinct().count() == events.size();
        return isClear ? events : List.of();
    }

    private static List<Long> overtaken(List<Event> events) {
        return events.stream()
                .filter(granted -> granted.op() == Op.ACQUIRE)
                .filter(granted -> events.stream()
                        .filter(other -> other.op() == Op.ACQUIRE && other.commit() < granted.commit())
                        .anyMatch(other -> place(events, other) > place(events, granted)))
                .filter(granted -> place(events, granted) > Long.MIN_VALUE)
                .map(Event::atNanos)
                .sorted()
                .toList();
    }

    private static long place(List<Event> events, Event granted) {
        return events.stream()
                .filter(event -> event.op() == Op.QUEUED && event.grant() == granted.grant())
                .mapToLong(Event::commit)
                .findFirst()
                .orElse(Long.MIN_VALUE);
    }

    private static List<Event> writes(SplittableRandom random) {
        List<Event> events = new ArrayList<>();
        int grants = random.nextInt(1, 4);
        for (int grant = 1; grant <= grants; grant++) {
            events.add(event(events.size(), Op.ACQUIRE, Phase.OK, grant, 0, 10L * grant, 0));
        }
        int size = events.size() + random.nextInt(1, 4);
        while (events.size() < size) {
            int grant = random.nextInt(1, grants + 1);
            Phase phase = random.nextInt(4) == 0 ? Phase.INFO : Phase.OK;
            long commit = 10L * grant + random.nextInt(1, 14);
            events.add(event(events.size(), Op.WRITE_GUARDED, phase, grant, 0, commit, random.nextInt(1, 9)));
        }
        events.add(event(events.size(), Op.TALLY, Phase.OK, 0, 0, 0, random.nextInt(5, 9)));
        return events.stream().map(Event::commit).distinct().count() == events.size() ? events : List.of();
    }

    /** Returns the times of writes that are stale or lost; one that is both appears twice. */
    private static List<Long> staleOrLost(List<Event> events) {
        List<Event> written = events.stream()
                .filter(event -> event.is(Op.WRITE_GUARDED, Phase.OK))
                .toList();
        Stream<Event> stale = written.stream()
                .filter(event -> events.stream()
                        .filter(other -> other.op() == Op.ACQUIRE && other.grant() != event.grant())
                        .anyMatch(other -> other.commit() > 10L * event.grant() && other.commit() < event.commit()));
        Stream<Event> lost = written.stream()
                .filter(event -> event.value() > events.get(events.size() - 1).value()
                        || written.stream()
                                .anyMatch(other -> other.seq() < event.seq() && other.value() == event.value()));
        return Stream.concat(stale, lost).map(Event::atNanos).sorted().toList();
    }
}
