package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.session.ApiParameters;
import org.mongolocks.embedded.internal.session.Session;
import org.mongolocks.embedded.internal.session.SessionOptions;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Workspace;

/** One command on its way through the server. */
public final class Call {
    /** How far a command has come. */
    enum Phase {
        ARRIVED,
        ADMITTED,
        PREPARED,
        RUNNING
    }

    private final Server server;
    private final ClientConnection connection;
    private final CommandDefinition definition;
    private final ApiParameters api;
    private final Document command;
    private final Recipient recipient;
    private Phase phase = Phase.ARRIVED;
    private SessionOptions options = SessionOptions.NONE;
    private @Nullable Session session;
    private long deadline = Park.NEVER;
    private boolean isOverdue;
    private boolean isWaitOver;
    private long topologyCounter;
    private @Nullable Object progress;
    private @Nullable Document upsert;
    private @Nullable Document failure;
    private boolean readsChangeStream;
    private @Nullable List<String> labelsOverride;

    Call(
            Server server,
            ClientConnection connection,
            CommandDefinition definition,
            Document command,
            Recipient recipient) {
        this.server = server;
        this.connection = connection;
        this.definition = definition;
        boolean hasApi = server.config().version().hasStableApi();
        this.api = hasApi ? ApiParameters.of(command) : ApiParameters.NONE;
        this.command = api.equals(ApiParameters.NONE) ? command : ApiParameters.without(command);
        this.recipient = recipient;
    }

    public Server server() {
        return server;
    }

    public ClientConnection connection() {
        return connection;
    }

    public CommandDefinition definition() {
        return definition;
    }

    /** The command without what it declares of the stable API, where there is one. */
    public Document command() {
        return command;
    }

    /** What the command declares of the stable API. */
    public ApiParameters api() {
        return api;
    }

    Recipient recipient() {
        return recipient;
    }

    public SessionOptions options() {
        return options;
    }

    void setOptions(SessionOptions parsed) {
        options = parsed;
    }

    /** The session of the command, or null. */
    public @Nullable Session session() {
        return session;
    }

    void setSession(@Nullable Session found) {
        session = found;
    }

    Phase phase() {
        return phase;
    }

    void enter(Phase next) {
        phase = next;
    }

    long deadline() {
        return deadline;
    }

    void setDeadline(long millis) {
        deadline = millis;
    }

    /** Goes on after a wait, which may have ended only because the time of the command is up. */
    void resumed(boolean timeIsUp) {
        isOverdue = timeIsUp;
    }

    void checkTime() {
        if (isOverdue) {
            throw new CommandError(ErrorCode.MAX_TIME_EXPIRED, "operation exceeded time limit");
        }
    }

    /** The counter of the topology when the command began to run. */
    long topologyCounter() {
        return topologyCounter;
    }

    void setTopologyCounter(long counter) {
        topologyCounter = counter;
    }

    /** Whether the wait of the command is over by real time, whatever the clock of the server says. */
    public boolean isWaitOver() {
        return isWaitOver;
    }

    void endWait() {
        isWaitOver = true;
    }

    /** Whether the command only waits for events, so that nothing is lost if its reply is not read. */
    boolean isListening() {
        return definition.name().equals("getMore") || isAwaitingTopology();
    }

    /** Whether the command waits for a change of the topology, if it waits. */
    public boolean isAwaitingTopology() {
        return definition.is(ServerFeature.AWAITS_TOPOLOGY) && phase == Phase.RUNNING;
    }

    public String db() {
        return command.get("$db") instanceof String db ? db : "test";
    }

    /** The first field of the command, which names what it is about. */
    public @Nullable Object target() {
        return command.values().iterator().next();
    }

    /** The collection that the command is about. */
    public Namespace namespace() {
        if (target() instanceof String collection) {
            return new Namespace(db(), collection).checked();
        }
        throw new CommandError(
                ErrorCode.INVALID_NAMESPACE, "collection name has invalid type " + BsonKind.nameOf(target()));
    }

    /** Where this command reads and writes. */
    public Workspace workspace() {
        Transaction transaction = transaction();
        return transaction == null
                ? server.direct()
                : new Workspace(server.store(), server.locks(), server.ids()::uuid, transaction);
    }

    /** The transaction that the command is part of, or null. */
    public @Nullable Transaction transaction() {
        return options.isTransaction() && session != null ? session.transaction() : null;
    }

    /** The number of the retryable write that this command is, or null. */
    public @Nullable Long retryNumber() {
        return options.isTransaction() ? null : options.txnNumber();
    }

    /** The data as this command sees it: as its transaction does, as a majority has it, or all that is stored. */
    public Catalog catalog() {
        return ReadConcern.isMajority(this)
                ? server.store().majorityCatalog()
                : workspace().catalog();
    }

    /** Variables with the time of now, or with the times that a router has sent along. */
    public Scope scope() {
        if (command.get("runtimeConstants") instanceof Document constants
                && constants.get("localNow") instanceof Instant now
                && constants.get("clusterTime") instanceof BsonTimestamp time) {
            return Scope.at(now, time, server.counters().evaluations());
        }
        return Scope.at(
                server.clock().instant(),
                server.config().isReplicaSet() ? server.store().clock().latest() : null,
                server.counters().evaluations());
    }

    /** The state that the command kept before it had to wait, or its initial state. */
    public <T> T progress(Class<T> type, Supplier<T> start) {
        if (progress == null) {
            progress = Objects.requireNonNull(start.get());
        }
        return type.cast(progress);
    }

    /** Whether the command goes on after a wait of its own. */
    public boolean isContinued() {
        return progress != null;
    }

    /**
     * Waits between the two steps of an upsert, if it is to wait there: others may write what it did not find.
     *
     * @param insert the document that is inserted when the command goes on
     */
    public void pauseUpsert(Document insert) {
        // In a transaction, concurrent insertions are never seen.
        Park pause = options.isTransaction() ? null : server.upsertPause();
        if (pause != null) {
            upsert = insert;
            throw pause;
        }
    }

    /** The document that an upsert has still to insert after its pause, once; or null. */
    public @Nullable Document takeUpsert() {
        Document insert = upsert;
        upsert = null;
        return insert;
    }

    /** The action of a fail point for this command, or null. */
    @Nullable
    Document failure() {
        return failure;
    }

    void setFailure(Document data) {
        failure = data;
    }

    /** The labels that an error gets whatever it is, or null. */
    @Nullable
    List<String> labelsOverride() {
        return labelsOverride;
    }

    void overrideLabels(List<String> labels) {
        labelsOverride = labels;
    }

    /** Notes that the cursor of a getMore, which was looked up, is that of a change stream. */
    public void readChangeStream() {
        readsChangeStream = true;
    }

    /** Whether the command is known to read a change stream; a command that fails before its cursor is looked up is not. */
    boolean isOnChangeStream() {
        if (definition.name().equals("getMore")) {
            return readsChangeStream;
        }
        return definition.name().equals("aggregate")
                && command.get("pipeline") instanceof List<?> stages
                && !stages.isEmpty()
                && stages.get(0) instanceof Document first
                && first.containsKey("$changeStream");
    }
}
