package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.Run.Action;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of the table of a {@link Run}, row by row. */
class RunTest {
    private static final MongoOp READ = new MongoOp.FindOne("read", "locks", new BsonDocument(), Optional.empty());
    private static final MongoOp START = new MongoOp.Transaction("start", Boundary.START);
    private static final Reply OK = new Reply.Acknowledged();
    private static final Reply.Failed LOST = new Reply.Failed(Fault.AMBIGUOUS, new MongoClientException("no reply"));
    private static final Duration PAUSE = Duration.ofMillis(30);
    private final LockException cut = new LockException("cut short", null, Optional.empty(), false);

    private final Lab lab = new Lab();
    private final ClientSettings settings = lab.settings(new FakeStrategy());
    private final ClientRuns runs = new ClientRuns(settings, new ConnectionShortage(lab.time));
    private final List<String> events = new ArrayList<>();
    private Optional<Step<Boolean>> compensation = Optional.empty();
    private Optional<PendingCompensation> pending = Optional.empty();

    @Test
    void commandIsSentAndItsReplyContinuesTheProgram() {
        Run<String> run = run(Step.call(READ, reply -> Step.done("answered by " + (reply == OK))));

        assertThat(run.start()).isEqualTo(new Action.Send<>(READ));
        assertThat(run.answered(OK)).isEqualTo(new Action.Done<>("answered by true"));
        assertThat(run.end()).isInstanceOf(Action.End.class);
        assertThat(events).containsExactly("closed");
    }

    @Test
    void commandForWhichNoTimeIsLeftIsRefusedInsteadOfSent() {
        TimeBudget over = TimeBudget.waitingAtMost(settings, Duration.ZERO, lab.time.nanoTime());
        lab.time.advance(settings.commandTimeout());
        Run<String> run = Run.of(
                runs,
                LockTask.withoutLock("A run"),
                over,
                program(Step.call(
                        READ, reply -> Step.done(((Reply.Failed) reply).fault().name()))));

        assertThat(run.start()).isEqualTo(new Action.Done<>(Fault.NOT_SENT.name()));
    }

    @Test
    void pauseIsMadeAndItsEndContinuesTheProgram() {
        CompletableFuture<Void> wakeUp = new CompletableFuture<>();
        Run<String> run = run(new Step.Pause<>(PAUSE, Optional.of(wakeUp), () -> Step.done("awake")));

        assertThat(run.start()).isEqualTo(new Action.Pause<>(PAUSE, Optional.of(wakeUp)));
        assertThat(run.resumed()).isEqualTo(new Action.Done<>("awake"));
    }

    @Test
    void whileTheServerIsOverloadedOneTurnFollowsAPause() {
        Run<String> first = run(new Step.Pause<>(PAUSE, () -> Step.done("awake")));
        Run<String> second = run(new Step.Pause<>(PAUSE, () -> Step.done("awake")));
        Action<String> unused = first.start();
        unused = second.start();
        runs.pressure().refused(overload(), runs.nanoTime());

        assertThat(first.resumed()).isEqualTo(new Action.Done<>("awake"));
        Action.Pause<String> turn = (Action.Pause<String>) second.resumed();
        assertThat(turn.delay()).isGreaterThan(Duration.ZERO);
        assertThat(turn.wakeUp()).isPresent();
        assertThat(second.resumed()).isEqualTo(new Action.Done<>("awake"));
    }

    @Test
    void failureOfTheProgramIsThrownAndItsAbortFails() {
        Run<String> run = run(Step.call(READ, Step::fail));
        Action<String> unused = run.start();

        assertThatThrownBy(() -> run.answered(LOST))
                .isInstanceOf(LockException.class)
                .hasCause(LOST.cause());
        assertThat(run.failure()).contains(LOST);
        assertThat(run.abort(cut)).isEqualTo(new Action.Fail<>(cut));
    }

    @Test
    void abortOfAProgramThatMayHaveStoredSomethingIsCompensated() {
        compensation = Optional.of(Step.call(READ, Step::matched));
        Run<String> run = run(Step.call(READ, reply -> Step.done("never")));
        Action<String> unused = run.start();

        assertThat(run.abort(cut)).isEqualTo(new Action.Send<>(READ));
        assertThat(run.answered(new Reply.Counted(1, false))).isEqualTo(new Action.Fail<>(cut));
        assertThat(cut.getSuppressed()).isEmpty();
    }

    @Test
    void abortAfterTheResultIsCompensated() {
        compensation = Optional.of(Step.done(true));
        Run<String> run = run(Step.done("granted"));

        assertThat(run.start()).isEqualTo(new Action.Done<>("granted"));
        assertThat(run.abort(cut)).isEqualTo(new Action.Fail<>(cut));
        assertThat(events).containsExactly("compensated");
    }

    @Test
    void failureOfACompensationIsSuppressed() {
        LockException cause = new LockException("cut short", null, Optional.empty(), false);
        compensation = Optional.of(Step.call(READ, Step::fail));
        Run<String> run = run(Step.call(READ, reply -> Step.done("never")));
        Action<String> unused = run.start();
        unused = run.abort(cause);

        assertThat(run.answered(LOST)).isEqualTo(new Action.Fail<>(cause));
        assertThat(cause.getSuppressed())
                .singleElement()
                .satisfies(second -> assertThat(second)
                        .hasMessageContaining("was aborted; releasing it")
                        .hasCause(LOST.cause()));
    }

    @Test
    void abortOfACompensationEndsIt() {
        LockException cause = new LockException("cut short", null, Optional.empty(), false);
        compensation = Optional.of(Step.call(READ, Step::matched));
        Run<String> run = run(Step.call(READ, reply -> Step.done("never")));
        Action<String> unused = run.start();
        unused = run.abort(cause);

        assertThat(run.abort(cut)).isEqualTo(new Action.Fail<>(cause));
        assertThat(cause.getSuppressed()).containsExactly(cut);
    }

    @Test
    void transactionThatTheProgramHasBegunIsEndedBeforeItsResult() {
        Run<String> run = run(Step.call(START, reply -> Step.done("left open")));
        Action<String> unused = run.start();

        assertThat(run.answered(OK)).isInstanceOf(Action.EndTransaction.class);
        assertThat(run.resumed()).isEqualTo(new Action.Done<>("left open"));
    }

    @Test
    void transactionIsEndedBeforeTheCompensation() {
        compensation = Optional.of(Step.call(READ, Step::matched));
        Run<String> run = run(Step.call(START, reply -> Step.done("never")));
        Action<String> unused = run.start();

        assertThat(run.abort(cut)).isInstanceOf(Action.EndTransaction.class);
        assertThat(run.resumed()).isEqualTo(new Action.Send<>(READ));
    }

    @Test
    void transactionIsKeptForTheNextRunUnlessThisOneFails() {
        assertThat(keeping(Step.done("open")).start()).isEqualTo(new Action.Done<>("open"));
        Run<String> failing = keeping(Step.call(READ, Step::fail));
        Action<String> unused = failing.start();

        assertThatThrownBy(() -> failing.answered(LOST)).isInstanceOf(LockException.class);
        assertThat(failing.abort(cut)).isInstanceOf(Action.EndTransaction.class);
        assertThat(failing.resumed()).isEqualTo(new Action.Fail<>(cut));
    }

    @Test
    void pendingCompensationRunsAfterTheResult() {
        compensation = Optional.of(Step.call(READ, Step::matched));
        Run<String> run = run(Step.done("indeterminate"));
        Action<String> unused = run.start();
        leaveCompensationPending();

        assertThat(run.end()).isEqualTo(new Action.Send<>(READ));
        assertThat(run.answered(new Reply.Counted(0, false))).isInstanceOf(Action.End.class);
    }

    @Test
    void abortOfAPendingCompensationEndsTheRun() {
        compensation = Optional.of(Step.call(READ, Step::matched));
        Run<String> run = run(Step.done("indeterminate"));
        Action<String> unused = run.start();
        leaveCompensationPending();
        unused = run.end();

        assertThat(run.abort(cut)).isInstanceOf(Action.End.class);
    }

    @Test
    void pendingCompensationThatThrowsEndsTheRun() {
        Run<String> run = run(Step.done("indeterminate"));
        Action<String> unused = run.start();
        leaveCompensationPending();

        assertThat(run.end()).isInstanceOf(Action.End.class);
    }

    @Test
    void eventThatNoActionLedToIsRefused() {
        Run<String> run = run(Step.call(READ, reply -> Step.done("answered")));
        Action<String> unused = run.start();

        assertThatThrownBy(run::resumed)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PROGRAM");
    }

    private void leaveCompensationPending() {
        pending = Optional.of(new PendingCompensation(
                settings, new CloseSignals(), Duration.ofSeconds(30), program(Step.done("indeterminate"))));
    }

    private Run<String> run(Step<String> first) {
        return Run.of(
                runs, LockTask.withoutLock("A run"), TimeBudget.perCommand(settings.commandTimeout()), program(first));
    }

    private Run<String> keeping(Step<String> first) {
        return Run.keepingTransaction(
                runs, LockTask.withoutLock("A run"), TimeBudget.perCommand(settings.commandTimeout()), () -> first);
    }

    private CompensatedProgram<String> program(Step<String> first) {
        return new CompensatedProgram<>() {
            @Override
            public Step<String> start() {
                return first;
            }

            @Override
            public boolean needsCompensation() {
                return compensation.isPresent();
            }

            @Override
            public Step<Boolean> compensate() {
                events.add("compensated");
                return compensation.orElseThrow();
            }

            @Override
            public Optional<PendingCompensation> pendingCompensation() {
                return pending;
            }

            @Override
            public void close() {
                events.add("closed");
            }
        };
    }

    private static MongoException overload() {
        MongoCommandException refusal = new MongoCommandException(
                new BsonDocument("ok", new org.bson.BsonInt32(0))
                        .append("code", new org.bson.BsonInt32(462))
                        .append("errorLabels", new BsonArray(List.of(new BsonString("SystemOverloadedError")))),
                new ServerAddress());
        return refusal;
    }
}
