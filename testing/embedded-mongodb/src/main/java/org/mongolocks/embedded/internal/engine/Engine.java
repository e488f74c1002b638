package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;
import org.mongolocks.embedded.internal.engine.CommandDefinition.Commands;
import org.mongolocks.embedded.internal.engine.FailPoints.ConnectionClosed;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.state.ClientConnection;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.ServerMemory;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.work.Workspace.Conflict;

/** Runs commands: each at once, or later when its condition is met. */
public final class Engine {
    private final Commands commands;
    private final Server server;
    private final Admission admission;
    private final ReplyWriter replies;
    private final TtlMonitor ttlMonitor;
    private final Waiting waiting;
    private final Queue<Call> ready = new ArrayDeque<>();
    private boolean isRunning;
    private int connections;
    private long nextDue;
    private long nextEvents;

    /** An engine that knows these commands. */
    public Engine(ServerConfig config, Commands commands) {
        this.commands = commands;
        this.server = new Server(config);
        this.waiting = server.waiting();
        this.admission = new Admission(server);
        this.replies = new ReplyWriter(server);
        this.ttlMonitor = new TtlMonitor(server);
        this.nextEvents = config.eventInterval().isZero() ? Park.NEVER : server.now();
        this.nextDue = Math.min(ttlMonitor.nextPass(), nextEvents);
    }

    public Server server() {
        return server;
    }

    public ClientConnection connect() {
        server.counters().connect();
        return new ClientConnection(++connections);
    }

    /** Forgets a connection. Its commands go on, as those of a real server do, but for those that only wait for events. */
    public void disconnect(ClientConnection connection) {
        if (connection.isOpen()) {
            connection.close();
            server.counters().disconnect();
        }
        waiting.remove(call -> call.connection() == connection && call.isListening())
                .forEach(this::forget);
    }

    private void forget(Call call) {
        leave(call);
        if (!call.isAwaitingTopology() && call.isContinued() && call.target() instanceof Long cursor) {
            server.cursors().close(cursor);
        }
    }

    /** Ends the wait of an {@code isMaster} whose time has passed, whatever the clock of the server says. */
    public void endWait(Recipient recipient) {
        waiting.calls().stream()
                .filter(call -> call.recipient().equals(recipient))
                .forEach(Call::endWait);
        // One that a fail point holds up has not begun to wait for a change.
        ready.addAll(waiting.remove(call -> call.recipient().equals(recipient) && call.isAwaitingTopology()));
        runReady();
    }

    /** Takes a command; the recipient is called now or later, always exactly once. */
    public void submit(ClientConnection connection, Document command, Recipient recipient) {
        if (server.now() >= nextDue) {
            runDue();
        }
        String name = command.isEmpty() ? "" : command.keySet().iterator().next();
        CommandDefinition definition = commands.find(name);
        if (definition == null) {
            CommandError unknown = new CommandError(ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + name + "'");
            recipient.reply(replies.failure(unknown));
            return;
        }
        ready.add(new Call(server, connection, definition, command, recipient));
        runReady();
    }

    /** Does all whose time has come. */
    public void runDue() {
        long now = server.now();
        electIfDue();
        server.transactions().expire(now);
        ttlMonitor.runIfDue(now);
        if (now >= nextEvents) {
            nextEvents = now + server.config().eventInterval().toMillis();
            server.store().advanceEvents(server.store().snapshot());
        }
        server.cursors().expire(now - server.parameters().cursorTimeoutMillis());
        server.sessions().expire(now, server.parameters().sessionTimeoutMillis(), session -> {
            server.transactions().abort(session);
            server.cursors().closeSession(session.id());
        });
        runReady();
    }

    /** Goes on with the commands whose waits are over. */
    public void runWaiting() {
        runReady();
    }

    /** The time at which {@link #runDue} has something to do next, in milliseconds. */
    public long nextDue() {
        return nextDue;
    }

    // A handler may submit the next command: it is queued, not nested.
    private void runReady() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            do {
                for (Call call = ready.poll(); call != null; call = ready.poll()) {
                    advance(call);
                }
                electIfDue();
                waiting.moveReady(server.now(), ready);
            } while (!ready.isEmpty());
        } finally {
            isRunning = false;
            nextDue = computeNextDue();
        }
    }

    private long computeNextDue() {
        long due = Math.min(
                Math.min(ttlMonitor.nextPass(), nextEvents),
                server.transactions().nextExpiry());
        due = Math.min(
                due, after(server.cursors().oldestUse(), server.parameters().cursorTimeoutMillis()));
        due = Math.min(due, server.sessions().nextExpiry(server.parameters().sessionTimeoutMillis()));
        due = Math.min(due, server.topology().electableAt());
        return Math.min(due, waiting.nextDue());
    }

    private static long after(long time, long millis) {
        return time == Park.NEVER ? Park.NEVER : time + millis;
    }

    private void advance(Call call) {
        try {
            answer(call, run(call));
        } catch (Park park) {
            waiting.park(call, park);
        } catch (ConnectionClosed closed) {
            leave(call);
            call.recipient().close();
        }
    }

    private Document run(Call call) {
        try {
            admission.admit(call);
            return replies.success(call, call.definition().run(call));
        } catch (CommandError error) {
            return failed(call, error);
        } catch (Conflict conflict) {
            return conflicted(call, conflict);
        } catch (Park | ConnectionClosed control) {
            throw control;
        } catch (RuntimeException | StackOverflowError fault) {
            // A fault of this server must not take it down, nor stay unseen by the client.
            return failed(call, new CommandError(ErrorCode.INTERNAL_ERROR, "internal error: " + fault));
        }
    }

    private Document conflicted(Call call, Conflict conflict) {
        var holder = conflict.holder();
        if (call.transaction() == null && holder != null) {
            throw Park.forEvent(() -> holder.session().transaction() != holder);
        }
        return failed(
                call,
                new CommandError(
                        ErrorCode.WRITE_CONFLICT,
                        "WriteConflict error: this operation conflicted with another operation."
                                + " Please retry your operation or multi-document transaction."));
    }

    // Any failure within a transaction ends it.
    private Document failed(Call call, CommandError error) {
        var session = call.session();
        if (session != null && call.options().isTransaction() && call.phase() == Call.Phase.RUNNING) {
            server.transactions().abort(session);
        }
        return replies.failure(call, error);
    }

    private void answer(Call call, Document reply) {
        leave(call);
        call.recipient().reply(reply);
    }

    private static void leave(Call call) {
        var session = call.session();
        if (session != null) {
            session.checkIn(call);
        }
    }

    /** The data stored now. */
    public Store.Snapshot snapshot() {
        return server.store().snapshot();
    }

    /** The sessions and open transactions now. */
    public ServerMemory memory() {
        return ServerMemory.of(server.sessions(), server.locks());
    }

    /** Goes on from some moment as if nothing had happened since; waiting commands are dropped without an answer. */
    public void resume(Store.Snapshot snapshot, ServerMemory memory) {
        waiting.remove(call -> true);
        server.cursors().clear();
        server.store().restore(snapshot);
        memory.resume(server.sessions(), server.transactions(), server.locks());
        runReady();
    }

    /**
     * Goes back to the data stored at some moment, as a failover with a roll-back does: later writes and the state in
     * memory are lost.
     */
    public void restore(Store.Snapshot snapshot) {
        server.transactions().abortAll();
        server.sessions().clear();
        server.cursors().clear();
        server.locks().clear();
        server.store().restore(snapshot);
        if (server.topology().isPrimary()) {
            server.topology().stepDown();
            server.topology().becomeSecondary(server.now());
        }
        becomePrimary();
        interrupt(
                call -> !call.isAwaitingTopology(),
                ErrorCode.INTERRUPTED_BY_STATE_CHANGE,
                "operation was interrupted because of a failover");
    }

    /** Ends a step-down. */
    public void stepUp() {
        if (!server.topology().isPrimary()) {
            server.topology().electAt(server.now());
            runReady();
        }
    }

    private void electIfDue() {
        if (server.now() >= server.topology().electableAt()) {
            becomePrimary();
        }
    }

    // Numbers of writes that changed nothing, and of transactions that did not end, are not known any more.
    private void becomePrimary() {
        server.sessions().reload();
        server.nextTerm();
        server.topology().becomePrimary();
    }

    /** Sets the majority commit point, and answers the commands that waited for it. */
    public void advanceMajority(Store.Snapshot snapshot) {
        server.store().advanceMajority(snapshot);
        runReady();
    }

    /** Sets how far change streams see; those that waited for it are answered. */
    public void advanceEvents(Store.Snapshot snapshot) {
        server.store().advanceEvents(snapshot);
        runReady();
    }

    /** Answers all waiting commands with an error, for a server that ends. */
    public void shutDown() {
        interrupt(call -> true, ErrorCode.INTERRUPTED_AT_SHUTDOWN, "interrupted at shutdown");
    }

    private void interrupt(Predicate<Call> condition, int code, String message) {
        for (Call call : waiting.remove(condition)) {
            answer(call, replies.failure(call, new CommandError(code, message)));
        }
        runReady();
    }
}
