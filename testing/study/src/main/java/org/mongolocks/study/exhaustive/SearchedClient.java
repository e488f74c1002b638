package org.mongolocks.study.exhaustive;

import com.mongodb.MongoException;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.Owner;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.engine.ClientEngine;
import org.mongolocks.internal.engine.ClientEngine.Platform;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.run.Run;
import org.mongolocks.internal.run.Run.Action.Done;
import org.mongolocks.internal.run.Run.Action.EndTransaction;
import org.mongolocks.internal.run.Run.Action.Pause;
import org.mongolocks.internal.run.Run.Action.Send;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.study.exhaustive.SmallWorld.Action;
import org.mongolocks.study.exhaustive.Twin.Slip;
import org.mongolocks.study.sim.client.SimulatedSettings;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.CommandExchange;
import org.mongolocks.study.sim.driver.CommandExchange.Kind;
import org.mongolocks.study.sim.driver.DriverExceptions;
import org.mongolocks.study.sim.driver.SimulatedDriver;
import org.mongolocks.study.sim.driver.SimulatedSession;
import org.mongolocks.study.sim.driver.TimeLimit;
import org.mongolocks.study.sim.net.BsonConversion;
import org.mongolocks.study.sim.net.Commands;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * One client of a small world: the library's engine, and a model of the driver. Each input continues its script until the
 * client waits for a reply, waits for its next turn, or has done everything. The state of a client is the sequence of its
 * inputs: the same inputs lead to the same state.
 */
final class SearchedClient {
    /** A write to the resource, see {@link Action#WRITE}. */
    static final String RESOURCE = "resource";

    /** How long an acquisition waits. */
    static final Duration MAX_WAIT = Techniques.TTL.multipliedBy(4);

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);
    private static final Timer NEVER = (delay, task) -> () -> {};
    private static final LockTask TASK = LockTask.withoutLock("A searched run");
    private static final Reply ACKNOWLEDGED = new Reply.Acknowledged();

    private final SmallWorld world;
    private final int id;
    private final Map<List<Object>, MongoOp> mistakes;
    private final ClientSettings settings;
    private final ClientRuns runs;
    private final ClientEngine engine;
    private final Commands commands;
    private final Iterator<Action> script;
    private long millis;
    private int sessions;
    private @Nullable SimulatedSession session;
    private TimeBudget budget = TimeBudget.perCommand(COMMAND_TIMEOUT);
    private @Nullable Exchange exchange;
    private @Nullable Runnable next;
    private @Nullable Hold hold;
    private @Nullable String refusal;
    private long heldFrom;
    private boolean isBeginning;
    private boolean isPaused;
    private int done;
    private int begun;
    private int granted;

    /** A command that was sent, and the continuation after its reply. */
    private record Exchange(
            MongoOp op, Kind kind, ClientRuns.Command command, BsonDocument request, Consumer<Reply> then) {}

    /**
     * @param mistakes what a twin sends in the place of each operation and time, as far as it is known
     */
    SearchedClient(SmallWorld world, int id, Map<List<Object>, MongoOp> mistakes) {
        this.mistakes = mistakes;
        this.world = world;
        this.id = id;
        TimeSource time = () -> millis * 1_000_000;
        InstantSource wallClock = () -> Instant.ofEpochMilli(wallMillis());
        this.settings = SimulatedSettings.of(
                world.technique(),
                id,
                new SimulatedSettings.Machine(time, wallClock, NEVER, Runnable::run, new Random(id)),
                COMMAND_TIMEOUT,
                world.maxAttempts());
        this.runs = new ClientRuns(settings, new ConnectionShortage(time));
        this.engine = new ClientEngine(
                settings,
                runs,
                new Platform(ChangeFeed.none(), NEVER, NEVER, Runnable::run, new NoBackground(), Optional.empty()));
        LockSchema schema = settings.strategy().schema();
        this.commands = new Commands(
                name -> name.equals(RESOURCE) ? name : schema.resolve(name, /* base= */ settings.collection()),
                this::objectId);
        this.script = world.script().iterator();
        this.next = this::nextAction;
    }

    private long wallMillis() {
        return VirtualTime.EPOCH.toEpochMilli() + millis + SmallWorld.WRONG_BY.toMillis() * id;
    }

    private BsonObjectId objectId() {
        return new BsonObjectId(new ObjectId(begun, id));
    }

    /** Does what follows an input. */
    void take(ClientInput input) {
        millis = input.millis();
        if (input instanceof ClientInput.Answer answer) {
            answered(answer.reply().value());
        } else if (input instanceof ClientInput.Reset) {
            reset();
        } else if (input instanceof ClientInput.Timeout) {
            failed(DriverExceptions.silence(isShipped()));
        } else {
            Runnable turn = next;
            next = null;
            isPaused = false;
            if (turn == null) {
                throw new IllegalStateException("The client waits for a reply");
            }
            turn.run();
        }
    }

    ClientView view() {
        Exchange sent = exchange;
        return new ClientView(
                sent == null ? null : digested(BsonConversion.toServer(requestOf(sent))),
                sent == null ? "" : sent.op().label(),
                sent != null && isResent(sent),
                sent != null && (sent.kind().isWrite() || sent.kind() == Kind.COMMIT) && isShipped(),
                begun,
                granted,
                hold == null ? 0 : hold.lease().fencingToken(),
                heldUntil(),
                refusal,
                isBeginning,
                isPaused,
                sent == null && next == null);
    }

    private Digested<Document> digested(Document request) {
        return Digested.of(request, id + " " + request);
    }

    /** Returns the command that is sent, which a twin changes; its session and its number stay. */
    private BsonDocument requestOf(Exchange sent) {
        Twin twin = world.twin();
        if (twin == null) {
            return sent.request();
        }
        MongoOp mistaken =
                mistakes.computeIfAbsent(List.of(sent.op(), wallMillis()), key -> twin.change(sent.op(), wallMillis()));
        BsonDocument changed = commands.visit(mistaken);
        sent.request().forEach(changed::putIfAbsent);
        return changed;
    }

    /**
     * Describes what it remembers between two actions: how far it is, its hold, its session, and what its engine knows about the
     * lock. Nothing else of what it has learned makes a difference later.
     */
    String memory() {
        if (!script.hasNext()) {
            return "over";
        }
        Hold held = hold;
        SimulatedSession used = session;
        return done + " " + granted + (held == null ? "" : held.lease() + " " + held.isOver() + held.loss())
                + (used == null ? "" : " " + sessions + " " + used.transactionNumber() + used.isDirty())
                + engine.queues().lastSeen(Locks.one())
                + engine.queues().newestGrant(Locks.one());
    }

    /** A technique of an article has no end of a lease, or ignores it. */
    private long heldUntil() {
        if (hold == null || hold.isOver()) {
            return ClientView.NOT_HELD;
        }
        if (!isShipped() || world.has(Slip.HOLDS_FOR_EVER)) {
            return Long.MAX_VALUE;
        }
        long end = hold.lease().validUntilNanos() / 1_000_000;
        return world.has(Slip.COUNTS_FROM_REPLY) ? Math.max(end, heldFrom + Techniques.TTL.toMillis()) : end;
    }

    private boolean isShipped() {
        return world.technique().config().isShipped();
    }

    private void nextAction() {
        if (!script.hasNext()) {
            return;
        }
        Action action = script.next();
        done++;
        if (action == Action.ACQUIRE) {
            acquire(Duration.ZERO);
        } else if (action == Action.AWAIT) {
            acquire(MAX_WAIT);
        } else if (hold == null) {
            nextAction();
        } else {
            act(action, hold);
        }
    }

    private void turn() {
        next = script.hasNext() ? this::nextAction : null;
    }

    private void acquire(Duration waitAtMost) {
        begun++;
        isBeginning = true;
        hold = null;
        Owner owner = world.has(Slip.SHARES_OWNER)
                ? new Owner("host", new UUID(0, 0))
                : new Owner(settings.instance(), new UUID(id, begun));
        CompensatedProgram<AcquireResult> acquisition = engine.acquire(
                LockRequest.of(Locks.one(), Techniques.TTL).fixedLease().waitAtMost(waitAtMost), owner);
        open(acquisition.limit());
        Run<AcquireResult> run = Run.of(runs, TASK, budget, acquisition);
        perform(
                run,
                run::start,
                result -> {
                    if (result instanceof AcquireResult.Held held) {
                        hold = held.holds().get(0);
                        granted++;
                        heldFrom = millis;
                    }
                },
                () -> ended(acquisition, run));
    }

    /** A compensation that is left to do runs before the next action, in the same session; an article has none. */
    private void ended(CompensatedProgram<AcquireResult> acquisition, Run<AcquireResult> run) {
        if (isShipped()) {
            perform(run, run::end, never -> {}, this::turn);
        } else {
            acquisition.close();
            turn();
        }
    }

    private void act(Action action, Hold held) {
        if (action == Action.RELEASE) {
            open(Optional.empty());
            run(() -> engine.release(held), released -> {});
        } else if (!believes(held)) {
            turn();
        } else if (action == Action.RENEW) {
            Duration left = held.remaining();
            open(Optional.of(TimeBudget.forRenewal(settings, RenewalTime.of(left), runs.slowestWrite())));
            run(() -> new RenewOperation(settings, held, held.lease().ttl()).start(), renewed -> {});
        } else {
            write(held);
        }
    }

    private boolean believes(Hold held) {
        return heldUntil() > millis && held.loss().isEmpty();
    }

    /** The resource remembers the largest token that it has seen, and refuses smaller ones. */
    private void write(Hold held) {
        BsonInt64 token = new BsonInt64(held.lease().fencingToken());
        BsonDocument filter =
                new BsonDocument("_id", new BsonString(RESOURCE)).append("token", new BsonDocument("$lte", token));
        BsonDocument change =
                new BsonDocument("$set", new BsonDocument("token", token).append("by", new BsonInt32(id)));
        MongoOp write =
                new MongoOp.UpdateOne(RESOURCE + "/write", RESOURCE, filter, UpdateSpec.operators(change), false);
        open(Optional.empty());
        run(() -> Step.call(write, Step::matched), accepted -> {
            if (!accepted && believes(held)) {
                refusal = "a write with token " + token.getValue() + " is refused while the lock is held";
            }
        });
    }

    /** A session that had a network error is not used again. The commands of an article have no limit of their own. */
    private void open(Optional<TimeBudget> own) {
        SimulatedSession known = session;
        if (known == null || known.isDirty()) {
            known = new SimulatedSession(new UUID(id, ++sessions));
            session = known;
        }
        budget = own.filter(each -> isShipped()).orElseGet(() -> TimeBudget.perCommand(settings.commandTimeout()));
        known.limit(Optional.of(new TimeLimit(budget, settings.time())));
    }

    private SimulatedSession session() {
        if (session == null) {
            throw new IllegalStateException("No session is open");
        }
        return session;
    }

    private <R> void run(CompensatedProgram<R> program, Consumer<R> done) {
        Run<R> run = Run.of(runs, TASK, budget, program);
        perform(run, run::start, done, this::turn);
    }

    /** Performs a run by moves of the world, until it ends with or without a result. */
    private <R> void perform(Run<R> run, Supplier<Run.Action<R>> event, Consumer<R> done, Runnable ended) {
        Run.Action<R> action;
        try {
            action = event.get();
        } catch (LockException e) {
            perform(run, () -> run.abort(e), done, ended);
            return;
        }
        if (action instanceof Send<R> send) {
            send(send.op(), reply -> perform(run, () -> run.answered(reply), done, ended));
        } else if (action instanceof Pause<R> pause) {
            pause(pause, () -> perform(run, run::resumed, done, ended));
        } else if (action instanceof EndTransaction) {
            endTransaction(() -> perform(run, run::resumed, done, ended));
        } else {
            if (action instanceof Done<R> result) {
                done.accept(result.result());
            }
            ended.run();
        }
    }

    /** A pause between retries may be of any length, so of none; a waiter wakes when time has passed. */
    private void pause(Pause<?> pause, Runnable then) {
        isPaused = pause.wakeUp().isPresent();
        if (isPaused) {
            next = then;
        } else {
            then.run();
        }
    }

    private void endTransaction(Runnable then) {
        if (session().isInTransaction()) {
            send(new MongoOp.Transaction("abort", Boundary.ABORT), reply -> then.run());
        } else {
            then.run();
        }
    }

    private void send(MongoOp op, Consumer<Reply> then) {
        if (op instanceof MongoOp.Transaction transaction && session().handles(transaction.boundary())) {
            then.accept(ACKNOWLEDGED);
            return;
        }
        if (isLeftOut(op)) {
            then.accept(op instanceof MongoOp.Transaction ? ACKNOWLEDGED : new Reply.Counted(0, false));
            return;
        }
        Kind kind = Kind.of(op);
        ClientRuns.Command command =
                runs.begin(op, session()::transactionNumber, session().isInTransaction(), runs.nanoTime());
        BsonDocument request = commands.visit(op);
        if (session().isInTransaction() || kind.isEnd()) {
            session().intoTransaction(request);
        } else {
            session().into(request, kind.isWrite());
        }
        exchange = new Exchange(op, kind, command, request, then);
    }

    /** A release without a token compensates. */
    private boolean isLeftOut(MongoOp op) {
        boolean isCommit = op instanceof MongoOp.Transaction end && end.boundary() == Boundary.COMMIT;
        boolean compensates = op.label().endsWith("/release") && hold == null;
        return (isCommit && world.has(Slip.NEVER_COMMITS)) || (compensates && world.has(Slip.COMPENSATES_NOTHING));
    }

    private void answered(BsonDocument reply) {
        Exchange sent = exchange();
        Optional<MongoException> error = DriverExceptions.of(sent.kind(), reply);
        if (error.isEmpty()) {
            end(sent, new CommandExchange.Result(Optional.of(reply), Optional.empty()));
        } else if (!isResent(sent) || !error.get().hasErrorLabel("RetryableWriteError")) {
            failed(error.get());
        }
    }

    private void reset() {
        isBeginning = false;
        session().markDirty();
        if (!isResent(exchange())) {
            failed(DriverExceptions.reset());
        }
    }

    /** Outside of transactions, and the end of one. */
    private boolean isResent(Exchange sent) {
        return sent.kind().isEnd() || (sent.kind() != Kind.CURSOR && !session().isInTransaction());
    }

    private void failed(MongoException error) {
        Exchange sent = exchange();
        session().markDirty();
        MongoException labelled = session().isInTransaction() || sent.kind().isEnd()
                ? DriverExceptions.inTransaction(error, sent.kind() == Kind.COMMIT)
                : error;
        end(sent, new CommandExchange.Result(Optional.empty(), Optional.of(labelled)));
    }

    private Exchange exchange() {
        if (exchange == null) {
            throw new IllegalStateException("No command is in flight");
        }
        return exchange;
    }

    private void end(Exchange sent, CommandExchange.Result result) {
        isBeginning = false;
        exchange = null;
        sent.command().ended();
        if (sent.op() instanceof MongoOp.Transaction) {
            session().end();
        }
        if (session().isDirty()) {
            budget.noteRepeated();
        }
        sent.then().accept(SimulatedDriver.reply(sent.op(), sent.command(), result));
    }

    /** Nothing runs by itself: renewals are actions of the script. */
    private static final class NoBackground implements BackgroundRunner {
        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            return new CompletableFuture<>();
        }

        @Override
        public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            return new CompletableFuture<>();
        }
    }
}
