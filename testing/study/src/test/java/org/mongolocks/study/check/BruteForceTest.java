package org.mongolocks.study.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.check.Grant.Interval;
import org.mongolocks.study.check.Grant.Release;
import org.mongolocks.study.check.Search.Operation;
import org.mongolocks.study.history.Event;
import org.mongolocks.study.history.Event.Op;
import org.mongolocks.study.history.Event.Phase;

/** Tests the checker against a search through all orders, on small random histories. */
class BruteForceTest {
    private static final int CASES = 10_000;
    private static final int MAX_GRANTS = 5;

    private record Tally(int good, int bad) {
        Tally plus(boolean isGood) {
            return isGood ? new Tally(good + 1, bad) : new Tally(good, bad + 1);
        }
    }

    @Test
    void holdsAreDisjointExactlyIfALockCouldHaveAnsweredSo() {
        Tally tally = new Tally(0, 0);
        for (long seed = 0; seed < CASES; seed++) {
            List<Grant> grants = grants(new SplittableRandom(seed));

            boolean possible = Search.isMutex(operations(grants));

            assertThat(MutualExclusionCheck.definite(grants).isEmpty())
                    .as("seed %d: %s", seed, grants)
                    .isEqualTo(possible);
            tally = tally.plus(possible);
        }
        assertThat(tally.good()).isBetween(CASES / 20, CASES - CASES / 20);
    }

    @Test
    void holdsAndTokensAreInOrderExactlyIfAFencedLockCouldHaveAnsweredSo() {
        Tally tally = new Tally(0, 0);
        for (long seed = 0; seed < CASES; seed++) {
            List<Grant> grants = grants(new SplittableRandom(seed));

            boolean possible = Search.isFencedMutex(operations(grants));

            boolean inOrder = MutualExclusionCheck.definite(grants).isEmpty()
                    && FencingTokenCheck.check(grants).isEmpty();
            assertThat(inOrder).as("seed %d: %s", seed, grants).isEqualTo(possible);
            tally = tally.plus(possible);
        }
        assertThat(tally.good()).isBetween(CASES / 20, CASES - CASES / 20);
    }

    @Test
    void believedHoldsAreDisjointExactlyIfNoTwoOverlap() {
        for (long seed = 0; seed < CASES; seed++) {
            List<Grant> grants = grants(new SplittableRandom(seed));

            assertThat(MutualExclusionCheck.believed(grants).isEmpty())
                    .as("seed %d: %s", seed, grants)
                    .isEqualTo(!anyTwoOverlap(grants));
        }
    }

    @Test
    void aWriteIsStaleExactlyIfALaterHolderHasUsedTheResourceBefore() {
        for (long seed = 0; seed < CASES; seed++) {
            List<Event> events = uses(new SplittableRandom(seed));

            List<Long> stale = WriteCheck.check(events, Script.LEASED).stream()
                    .map(Violation::atNanos)
                    .toList();

            assertThat(stale).as("seed %d", seed).isEqualTo(staleByDefinition(events));
        }
    }

    @Test
    void aReleaseIsForeignExactlyIfAReplayFindsAnotherOwner() {
        int foreign = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Replay replay = new Replay(new SplittableRandom(seed));

            List<Integer> found = MutualExclusionCheck.foreignReleases(replay.grants()).stream()
                    .map(Violation::first)
                    .sorted()
                    .toList();

            assertThat(found).as("seed %d: %s", seed, replay.grants()).isEqualTo(replay.foreign());
            foreign += found.size();
        }
        assertThat(foreign).isPositive();
    }

    /** Returns grants with requests, replies and releases at times that all differ. */
    private static List<Grant> grants(SplittableRandom random) {
        int count = random.nextInt(1, MAX_GRANTS + 1);
        List<Long> times = shuffled(random, count * 4 * 3);
        return IntStream.range(0, count)
                .mapToObj(i -> times.subList(i * 4, i * 4 + 4).stream().sorted().toList())
                .collect(
                        ArrayList::new, (all, four) -> all.add(grant(all.size() + 1, random, four)), ArrayList::addAll);
    }

    private static Grant grant(int id, SplittableRandom random, List<Long> times) {
        Release release = new Release(times.get(2), times.get(3), 0);
        long token = random.nextInt(4) == 0 ? random.nextInt(1, 6) : id;
        Interval held = new Interval(id, times.get(1), times.get(2));
        return new Grant(id, id, token, id, times.get(0), times.get(1), times.get(2), List.of(held), release);
    }

    private static List<Long> shuffled(SplittableRandom random, int size) {
        List<Long> times = new ArrayList<>(LongStream.range(0, size).boxed().toList());
        for (int i = times.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            times.set(i, times.set(other, times.get(i)));
        }
        return times;
    }

    private static List<Operation> operations(List<Grant> grants) {
        return grants.stream()
                .flatMap(grant -> List.of(
                        new Operation(grant.id(), false, grant.token(), grant.invokedNanos(), grant.okNanos()),
                        new Operation(
                                grant.id(),
                                true,
                                0,
                                grant.release().invokedNanos(),
                                grant.release().answeredNanos()))
                        .stream())
                .toList();
    }

    private static boolean anyTwoOverlap(List<Grant> grants) {
        return grants.stream()
                .anyMatch(one -> grants.stream()
                        .anyMatch(other -> one.id() < other.id()
                                && one.believed().get(0).fromNanos()
                                        < other.believed().get(0).untilNanos()
                                && other.believed().get(0).fromNanos()
                                        < one.believed().get(0).untilNanos()));
    }

    private static List<Event> uses(SplittableRandom random) {
        return IntStream.range(0, random.nextInt(1, 12))
                .mapToObj(i -> {
                    int grant = random.nextInt(1, 5);
                    Op op = random.nextBoolean() ? Op.TOUCH : Op.WRITE_TOUCH_FENCED;
                    Phase phase = random.nextInt(4) == 0 ? Phase.FAIL : Phase.OK;
                    return new Event(i, i, grant, op, phase, grant, grant, grant, 0, 0, 0, "");
                })
                .toList();
    }

    private static List<Long> staleByDefinition(List<Event> events) {
        return events.stream()
                .filter(event -> event.is(Op.WRITE_TOUCH_FENCED, Phase.OK))
                .filter(event -> events.stream()
                        .anyMatch(before -> before.seq() < event.seq()
                                && before.phase() == Phase.OK
                                && before.commit() > event.commit()))
                .map(Event::atNanos)
                .toList();
    }

    /** A lock that any client may release, as in some articles, executed one command after the other. */
    private static final class Replay {
        private final List<Grant> grants = new ArrayList<>();
        private final List<Integer> foreign = new ArrayList<>();

        Replay(SplittableRandom random) {
            int holder = 0;
            for (int commit = 1; commit < 16; commit++) {
                boolean expires = random.nextInt(3) == 0;
                if (holder == 0 || expires) {
                    holder = grants.size() + 1;
                    grants.add(granted(holder, commit));
                } else if (random.nextBoolean()) {
                    holder = release(random.nextInt(1, grants.size() + 1), commit, holder);
                }
            }
        }

        private int release(int by, int commit, int holder) {
            Grant grant = grants.get(by - 1);
            if (grant.release().commit() != 0) {
                return holder;
            }
            grants.set(by - 1, released(grant, commit));
            if (by != holder) {
                foreign.add(by);
            }
            return 0;
        }

        List<Grant> grants() {
            return grants;
        }

        List<Integer> foreign() {
            return foreign.stream().sorted().toList();
        }

        private static Grant granted(int id, long commit) {
            return new Grant(id, id, 1, commit, commit, commit, Long.MAX_VALUE, List.of(), Release.NONE);
        }

        private static Grant released(Grant grant, long commit) {
            Release release = new Release(commit, commit, commit);
            return new Grant(
                    grant.id(),
                    grant.process(),
                    1,
                    grant.commit(),
                    grant.okNanos(),
                    grant.okNanos(),
                    commit,
                    List.of(),
                    release);
        }
    }
}
