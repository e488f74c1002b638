package org.mongolocks.leader.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.time.Timer;

/** Tests of a candidacy in every order of replies, timers, ends of work and calls, also where calls fail. */
class ElectionOrdersTest {
    private static final int STEPS = 6;
    private static final int MOST_STEPS_TO_THE_END = 100;
    private static final Candidate CANDIDATE = Candidate.of("role", Duration.ofMinutes(1));

    private final Logger log = Logger.getLogger("org.mongolocks");

    /** Each call that fails is logged. */
    @BeforeEach
    void silence() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void restoreTheLog() {
        log.setLevel(null);
    }

    static Stream<Candidate> candidates() {
        Duration second = Duration.ofSeconds(1);
        return Stream.of(
                CANDIDATE,
                CANDIDATE.fair(),
                CANDIDATE.once(),
                CANDIDATE.settling(second),
                CANDIDATE.standby(second).pause(Duration.ZERO));
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void candidacyEndsWithoutALockOrWorkInEveryOrder(Candidate candidate) {
        int[] choices = new int[STEPS];
        int orders = 0;
        do {
            Course course = new Course(candidate);
            course.machine.begin();
            int[] options = new int[STEPS];
            for (int i = 0; i < STEPS; i++) {
                options[i] = course.options().size();
                course.options().get(choices[i]).run();
            }
            course.end();

            assertThat(course.machine.state())
                    .as("after the choices %s", Arrays.toString(choices))
                    .isEqualTo(CandidacyState.CLOSED);
            assertThat(course.locks)
                    .as("locks after %s", Arrays.toString(choices))
                    .isZero();
            assertThat(course.works)
                    .as("works after %s", Arrays.toString(choices))
                    .isZero();
            orders++;
            advance(choices, options);
        } while (Arrays.stream(choices).anyMatch(choice -> choice != 0));
        assertThat(orders).isGreaterThan(1_000);
    }

    /** Its caller gets no candidacy that it could close. */
    @Test
    void candidacyThatCannotBeginHasEnded() {
        Course course = new Course(CANDIDATE);
        course.failsWithAnError = true;

        assertThatExceptionOfType(InternalError.class).isThrownBy(course.machine::begin);

        assertThat(course.machine.state()).isEqualTo(CandidacyState.CLOSED);
        assertThat(course.open).isEmpty();
    }

    /** Counts up, the last choice first; all zero after the last order. */
    private static void advance(int[] choices, int[] options) {
        int place = STEPS - 1;
        while (place >= 0 && ++choices[place] >= options[place]) {
            choices[place--] = 0;
        }
    }

    @Test
    @Tag("finds:leader-recursion")
    void candidacyEndsAfterMoreTurnsThanAStackHasFrames() {
        AtomicInteger done = new AtomicInteger();
        Turns turns = new Turns();

        turns.add(() -> {
            for (int i = 0; i < 100_000; i++) {
                turns.add(done::incrementAndGet);
            }
        });

        assertThat(done.get()).isEqualTo(100_000);
    }

    @Test
    void taskAfterAnErrorRuns() {
        AtomicInteger done = new AtomicInteger();
        Turns turns = new Turns();

        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> turns.add(() -> {
            turns.add(done::incrementAndGet);
            throw new AssertionError("A task that fails, for a test");
        }));

        assertThat(first).failsWithin(Duration.ofSeconds(30));
        assertThat(done.get()).isEqualTo(1);
        turns.add(done::incrementAndGet);
        assertThat(done.get()).isEqualTo(2);
    }

    /** One candidacy; what its port, its timer and its work have to answer is open until a test chooses it. */
    private static final class Course implements LockPort, CandidateWork {
        private final List<List<Runnable>> open = new ArrayList<>();
        private final ElectionMachine machine;
        private boolean failsWithAnError;
        private boolean failsNext;
        private boolean hasFailed;
        private boolean closing;
        private int locks;
        private int works;

        Course(Candidate candidate) {
            machine = new ElectionMachine(candidate, this, this);
        }

        /** Returns what can happen next. */
        List<Runnable> options() {
            List<Runnable> all = new ArrayList<>();
            open.forEach(all::addAll);
            all.add(machine::resign);
            if (!closing) {
                all.add(this::close);
            }
            if (!hasFailed) {
                all.add(() -> failsNext = hasFailed = true);
            }
            return all;
        }

        private void close() {
            closing = true;
            CompletableFuture<Void> unused = machine.close(Duration.ofSeconds(1));
        }

        /** Closes the candidacy, and lets everything that is open happen. */
        void end() {
            close();
            for (int i = 0; i < MOST_STEPS_TO_THE_END && !open.isEmpty(); i++) {
                open.get(0).get(0).run();
            }
        }

        /** Adds outcomes of one call, each of which ends it. */
        private Runnable outcomes(Runnable... outcomes) {
            List<Runnable> one = new ArrayList<>();
            for (Runnable outcome : outcomes) {
                one.add(() -> {
                    open.removeIf(other -> other == one);
                    outcome.run();
                });
            }
            open.add(one);
            return () -> open.removeIf(other -> other == one);
        }

        private void mayFail() {
            if (failsWithAnError) {
                throw new InternalError("No thread can be started, for a test");
            }
            if (failsNext) {
                failsNext = false;
                throw new IllegalStateException("A call that fails, for a test");
            }
        }

        @Override
        public Runnable acquire(LockRequest request, Answer<Optional<RoleLock>> answer) {
            mayFail();
            Runnable unused = outcomes(
                    () -> answer.done(Optional.of(new Lock())),
                    () -> answer.done(Optional.empty()),
                    () -> answer.failed(new LockException("A request that fails, for a test")));
            return () -> {};
        }

        @Override
        public void inspect(LockName role, Answer<Optional<LockSnapshot>> answer) {
            mayFail();
            Runnable unused = outcomes(
                    () -> answer.done(Optional.empty()),
                    () -> answer.failed(new LockException("A read that fails, for a test")));
        }

        @Override
        public Timer timer() {
            return (delay, task) -> outcomes(task)::run;
        }

        @Override
        public Running begin(Term term, RoleLock lock, Runnable ended) {
            mayFail();
            works++;
            assertThat(works).as("works at a time").isEqualTo(1);
            Runnable unused = outcomes(() -> {
                works--;
                ended.run();
            });
            return () -> {};
        }

        @Override
        public void handle(LeaderEvent event) {}

        private final class Lock implements RoleLock {
            private boolean lost;
            private boolean released;

            Lock() {
                locks++;
            }

            @Override
            public long fencingToken() {
                return 1;
            }

            @Override
            public Duration remaining() {
                return lost || released ? Duration.ZERO : CANDIDATE.ttl();
            }

            @Override
            public Optional<LossReason> loss() {
                return lost ? Optional.of(LossReason.FORCED) : Optional.empty();
            }

            @Override
            public void watch(List<Duration> remaining, Runnable watching) {
                Runnable unused = outcomes(() -> {
                    lost = true;
                    watching.run();
                });
            }

            @Override
            public void release(Runnable then) {
                mayFail();
                released = true;
                Runnable unused = outcomes(() -> {
                    locks--;
                    then.run();
                });
            }
        }
    }
}
