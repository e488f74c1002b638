package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayDeque;
import java.util.Queue;
import org.mongolocks.embedded.ReplyHandler;
import org.mongolocks.embedded.internal.command.CommandTable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.work.Conflict;
import org.mongolocks.embedded.internal.work.Store;

/** Runs commands: each at once, or later when what it waits for has happened. */
public final class Engine {
    private final Server server;
    private final Admission admission;
    private final ReplyWriter replies;
    private final TtlMonitor ttlMonitor;
    private final Waiting waiting = new Waiting();
    private final Queue<Call> ready = new ArrayDeque<>();
    private boolean isRunning;
    private int connections;
    private long nextDue;

    public Engine(ServerConfig config) {
        this.server = new Server(config);
        this.admission = new Admission(server);
        this.replies = new ReplyWriter(server);
        this.ttlMonitor = new TtlMonitor(server);
        this.nextDue = ttlMonitor.nextPass();
    }

    public Server server() {
        return server;
    }

    public ClientConnection connect() {
        return new ClientConnection(++connections);
    }

    /** Forgets a connection. Its commands go on, as those of a real server do, but for those that only wait for news. */
    public void disconnect(ClientConnection connection) {
        connection.close();
        waiting.remove(call ->
                call.connection() == connection && call.definition().name().equals("getMore"));
    }

    /** Takes a command; the handler is called now or later, always exactly once. */
    public void submit(ClientConnection connection, Document command, ReplyHandler handler) {
        if (server.now() >= nextDue) {
            runDue();
        }
        String name = command.isEmpty() ? "" : command.keySet().iterator().next();
        CommandDefinition definition = CommandTable.find(name);
        if (definition == null) {
            String message = "no such command: '" + name + "'";
            handler.reply(replies.failure(new CommandError(ErrorCode.COMMAND_NOT_FOUND, message)));
            return;
        }
        ready.add(new Call(server, connection, definition, command, handler));
        runReady();
    }

    /** Does all whose time has come. */
    public void runDue() {
        long now = server.now();
        server.transactions().expire(now);
        ttlMonitor.runIfDue(now);
        server.cursors().expire(now - server.parameters().cursorTimeoutMillis());
        server.sessions().expire(now - server.parameters().sessionTimeoutMillis(), session -> {
            server.transactions().abort(session);
            server.cursors().closeSession(session.id());
        });
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
                ttlMonitor.runIfBlocked(server.now());
                waiting.moveReady(server.now(), ready);
            } while (!ready.isEmpty());
        } finally {
            isRunning = false;
            nextDue = computeNextDue();
        }
    }

    private long computeNextDue() {
        long due = Math.min(ttlMonitor.nextPass(), server.transactions().nextExpiry());
        due = Math.min(
                due, after(server.cursors().oldestUse(), server.parameters().cursorTimeoutMillis()));
        due = Math.min(
                due, after(server.sessions().oldestUse(), server.parameters().sessionTimeoutMillis()));
        return Math.min(due, waiting.nextDue());
    }

    private static long after(long time, long millis) {
        return time == Wait.NEVER ? Wait.NEVER : time + millis;
    }

    private void advance(Call call) {
        try {
            answer(call, run(call));
        } catch (Park park) {
            waiting.park(call, park.until());
        } catch (ConnectionClosed closed) {
            leave(call);
            call.handler().connectionClosed();
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
            throw new Park(Wait.forEvent(() -> holder.session().transaction() != holder));
        }
        return failed(
                call,
                new CommandError(
                        ErrorCode.WRITE_CONFLICT,
                        "WriteConflict error: this operation conflicted with another operation."
                                + " Please retry your operation or multi-document transaction."));
    }

    // Whatever fails within a transaction ends it.
    private Document failed(Call call, CommandError error) {
        var session = call.session();
        if (session != null && call.options().isTransaction() && call.phase() == Call.Phase.RUNNING) {
            server.transactions().abort(session);
        }
        return replies.failure(call, error);
    }

    private void answer(Call call, Document reply) {
        leave(call);
        if (call.isReplyLost()) {
            call.handler().connectionClosed();
        } else {
            call.handler().reply(reply);
        }
    }

    private static void leave(Call call) {
        var session = call.session();
        if (session != null) {
            session.checkIn(call);
        }
    }

    /** What is stored now. */
    public Store.Snapshot snapshot() {
        return server.store().snapshot();
    }

    /**
     * Goes back to what was stored at some moment, as a failover with a roll-back does: what was written since is lost, and what the
     * server held in memory as well.
     */
    public void restore(Store.Snapshot snapshot) {
        server.transactions().abortAll();
        server.sessions().clear();
        server.cursors().clear();
        server.locks().clear();
        server.store().restore(snapshot);
        server.nextTerm();
        interruptAll(ErrorCode.INTERRUPTED_BY_STATE_CHANGE, "operation was interrupted because of a failover");
    }

    /** Answers all waiting commands with an error, for a server that ends. */
    public void shutDown() {
        interruptAll(ErrorCode.INTERRUPTED_AT_SHUTDOWN, "interrupted at shutdown");
    }

    private void interruptAll(int code, String message) {
        for (Call call : waiting.remove(call -> true)) {
            answer(call, replies.failure(call, new CommandError(code, message)));
        }
        runReady();
    }
}
