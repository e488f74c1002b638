package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.session.Session;

/** Executes the statements of a write command one after the other, and knows where to go on after a wait. */
public final class WriteBatch {
    private static final int INVALID_LENGTH = 16;
    private static final int MAX_STATEMENTS = 100_000;

    // These end the whole command, wherever they occur: interruptions, and a repetition that cannot be answered.
    private static final Set<Integer> FATAL = Set.of(24, 50, 189, 237, 262, 11600, 11601, 11602, 40638);
    private static final Set<Integer> TRANSIENT = Set.of(112, 239, 246, 251);

    private final List<Document> errors = new ArrayList<>();
    private final List<Document> upserted = new ArrayList<>();
    private int next;
    private int matched;
    private int modified;
    private int matchedBefore;
    private int modifiedBefore;
    // The records that a statement on many documents is done with, so that a wait does not make it do them twice.
    private final Set<Long> done = new HashSet<>();

    /** Executes one of the statements. */
    @FunctionalInterface
    public interface Statement {
        /** Executes the statement at an index. */
        void execute(int index);
    }

    /** Checks how many statements a command has. */
    public static void checkSize(int statements) {
        if (statements < 1 || statements > MAX_STATEMENTS) {
            throw new CommandError(
                    INVALID_LENGTH,
                    "Write batch sizes must be between 1 and " + MAX_STATEMENTS + ". Got " + statements
                            + " operations.");
        }
    }

    /** Executes the statements that are left. */
    public void run(Call call, int statements, boolean isOrdered, Statement statement) {
        boolean goesOn = true;
        while (goesOn && next < statements) {
            try {
                statement.execute(next);
            } catch (CommandError error) {
                goesOn = failed(call, error, isOrdered);
                matched = matchedBefore;
                modified = modifiedBefore;
            }
            endStatement();
        }
        next = statements;
    }

    // A statement that fails halfway is not counted at all, whatever it has changed until then.
    private void endStatement() {
        next++;
        done.clear();
        matchedBefore = matched;
        modifiedBefore = modified;
    }

    // Whether the next statement is to be executed all the same.
    private boolean failed(Call call, CommandError error, boolean isOrdered) {
        if (FATAL.contains(error.code())) {
            throw error;
        }
        Session session = call.session();
        if (session != null && call.transaction() != null) {
            if (TRANSIENT.contains(error.code())) {
                throw error;
            }
            call.server().transactions().abort(session);
        }
        Document document = new Document("index", next).append("code", error.code());
        document.putAll(error.details());
        errors.add(document.append("errmsg", error.getMessage()));
        return !isOrdered && !call.options().isTransaction();
    }

    public void addMatched(int count) {
        matched += count;
    }

    public void addModified(int count) {
        modified += count;
    }

    public void addUpserted(@Nullable Object id) {
        matched++;
        upserted.add(new Document("index", next).append("_id", id));
    }

    /** Notes that the statement is done with a record. */
    void done(long record) {
        done.add(record);
    }

    boolean isDone(long record) {
        return done.contains(record);
    }

    /** Whether the statement is done with any record. */
    boolean isBegun() {
        return !done.isEmpty();
    }

    /** The reply of an insert or a delete. */
    public Document reply() {
        return withErrors(new Document("n", matched));
    }

    /** The reply of an update. */
    public Document updateReply() {
        Document reply = new Document("n", matched).append("nModified", modified);
        if (!upserted.isEmpty()) {
            reply.put("upserted", upserted);
        }
        return withErrors(reply);
    }

    private Document withErrors(Document reply) {
        if (!errors.isEmpty()) {
            reply.put("writeErrors", errors);
        }
        return reply;
    }
}
