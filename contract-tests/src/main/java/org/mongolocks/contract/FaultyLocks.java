package org.mongolocks.contract;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Has a client and the faults that hit it alone, by MongoDB's fail point {@code failCommand} and the client's
 * application name.
 */
public final class FaultyLocks implements AutoCloseable {
    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final BlockingLocks locks;
    private final Connection connection;
    private final MongoDatabase admin;
    private final String appName;

    FaultyLocks(BlockingLocks locks, Connection connection, String appName) {
        this.locks = locks;
        this.connection = connection;
        this.admin = connection.sync().getDatabase("admin");
        this.appName = appName;
    }

    Duration closeTimeout() {
        return CLOSE_TIMEOUT;
    }

    BlockingLocks locks() {
        return locks;
    }

    /** Has the next commands of these names closed off before they are executed. */
    void closeConnection(int times, List<String> commands) {
        inject(times, commands, new BsonDocument("closeConnection", BsonBoolean.TRUE));
    }

    /** Has the next commands of these names refused with a code before they are executed. */
    void refuse(int times, int code, List<String> commands) {
        inject(times, commands, new BsonDocument("errorCode", new BsonInt32(code)));
    }

    /** Has the next commands of these names executed, and answered with a doubt about their durability. */
    void doubt(int times, List<String> commands) {
        BsonDocument error = new BsonDocument("code", new BsonInt32(64)).append("errmsg", new BsonString("injected"));
        inject(times, commands, new BsonDocument("writeConcernError", error));
    }

    /** Has the next commands of these names wait before they are executed. */
    void block(int times, int millis, List<String> commands) {
        inject(
                times,
                commands,
                new BsonDocument("blockConnection", BsonBoolean.TRUE).append("blockTimeMS", new BsonInt32(millis)));
    }

    /** Counts down when the client next sends a command of one of these names. */
    CountDownLatch nextSent(List<String> commands) {
        return connection.sent().nextSent(1, command -> commands.contains(command.getCommandName()));
    }

    /** Ends the faults. The client goes on. */
    void heal() {
        admin.runCommand(new BsonDocument("configureFailPoint", new BsonString("failCommand"))
                .append("mode", new BsonString("off")));
    }

    /** Loses the connection for good, as a process that is killed; the client is not told. */
    void die() {
        connection.close();
    }

    /** Ends the faults, the client and then the connection. */
    @Override
    public void close() {
        heal();
        locks.close();
        connection.close();
    }

    private void inject(int times, List<String> commands, BsonDocument data) {
        BsonArray names =
                new BsonArray(commands.stream().<BsonValue>map(BsonString::new).toList());
        data.append("failCommands", names).append("appName", new BsonString(appName));
        admin.runCommand(new BsonDocument("configureFailPoint", new BsonString("failCommand"))
                .append("mode", new BsonDocument("times", new BsonInt32(times)))
                .append("data", data));
    }
}
