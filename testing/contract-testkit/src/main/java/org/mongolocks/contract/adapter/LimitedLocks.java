package org.mongolocks.contract.adapter;

import com.mongodb.MongoCommandException;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.LimitedUser;

/** A client whose user has few privileges; closing it removes both. */
public final class LimitedLocks implements AutoCloseable {
    private final BlockingLocks locks;
    private final DriverClients connection;
    private final LimitedUser user;
    private final CountDownLatch streamed;

    public LimitedLocks(BlockingLocks locks, DriverClients connection, LimitedUser user) {
        this.locks = locks;
        this.connection = connection;
        this.user = user;
        this.streamed = connection
                .sent()
                .nextSent(1, command -> command.getCommandName().equals("aggregate"));
    }

    public BlockingLocks locks() {
        return locks;
    }

    /** Returns whether a change stream has been requested. */
    public boolean isWaiting() {
        return streamed.getCount() == 0;
    }

    /** Drops a collection, which no lock operation needs to do. */
    public void drop(String collection) throws MongoCommandException {
        connection.sync().getDatabase(ContractServer.DATABASE).runCommand(new Document("drop", collection));
    }

    @Override
    public void close() {
        locks.close();
        connection.close();
        user.close();
    }
}
