package org.mongolocks.embedded.support;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** A transaction against a {@link TestEngine}. */
public final class TestTransaction {
    private final TestEngine engine;
    private final String session;
    private final long number;
    private boolean isStarted;

    public TestTransaction(TestEngine engine, String session, long number) {
        this.engine = engine;
        this.session = session;
        this.number = number;
    }

    /** Submits a command in the transaction; the first one begins it. */
    public Answer submit(String command) {
        BsonDocument complete = withNumber(BsonDocument.parse(command));
        if (!isStarted) {
            isStarted = true;
            complete.append("startTransaction", BsonBoolean.TRUE);
        }
        return engine.submit("main", "test", complete);
    }

    public BsonDocument run(String command) {
        return submit(command).reply();
    }

    public BsonDocument commit() {
        return end("commitTransaction");
    }

    public BsonDocument abort() {
        return end("abortTransaction");
    }

    private BsonDocument end(String command) {
        return engine.submit("main", "admin", withNumber(new BsonDocument(command, new BsonInt64(1))))
                .reply();
    }

    private BsonDocument withNumber(BsonDocument command) {
        return command.append("lsid", new BsonString(session))
                .append("txnNumber", new BsonInt64(number))
                .append("autocommit", BsonBoolean.FALSE);
    }
}
