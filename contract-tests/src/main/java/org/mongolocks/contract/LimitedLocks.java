package org.mongolocks.contract;

import com.mongodb.MongoCommandException;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;

/** Is a client whose user has few rights; both end when it is closed. */
public final class LimitedLocks implements AutoCloseable {
    private final BlockingLocks locks;
    private final Connection connection;
    private final LimitedUser user;
    private final CountDownLatch streamed;

    LimitedLocks(BlockingLocks locks, Connection connection, LimitedUser user) {
        this.locks = locks;
        this.connection = connection;
        this.user = user;
        this.streamed = connection
                .sent()
                .nextSent(1, command -> command.getCommandName().equals("aggregate"));
    }

    BlockingLocks locks() {
        return locks;
    }

    /** Tells whether a change stream has been asked for. */
    boolean isWaiting() {
        return streamed.getCount() == 0;
    }

    /** Drops a collection, which no lock ever needs. */
    void drop(String collection) throws MongoCommandException {
        connection.sync().getDatabase(LockContract.DATABASE).runCommand(new Document("drop", collection));
    }

    @Override
    public void close() {
        locks.close();
        connection.close();
        user.close();
    }
}
