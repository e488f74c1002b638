package org.mongolocks.server;

import static org.junit.jupiter.api.Assumptions.abort;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;

/** A user with its own role on a server with access control; closing it drops both. */
public final class LimitedUser implements AutoCloseable {
    private static final int UNAUTHORIZED = 13;

    private final MongoDatabase database;
    private final String name = "contract-" + UUID.randomUUID();
    private final String password = UUID.randomUUID().toString();

    private LimitedUser(MongoDatabase database) {
        this.database = database;
    }

    /** Creates a user, or skips the test with the reason. */
    public static LimitedUser create(MongoDatabase database, Map<String, List<String>> actions) {
        requireAccessControl(database);
        LimitedUser user = new LimitedUser(database);
        try {
            user.create(actions);
        } catch (MongoCommandException e) {
            if (e.getCode() == UNAUTHORIZED) {
                abort("The user of the contract may not create roles and users on this server");
            }
            throw e;
        }
        return user;
    }

    /** Connects as this user. */
    public DriverClients connect(String uri) {
        return DriverClients.of(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .credential(MongoCredential.createCredential(name, database.getName(), password.toCharArray()))
                .build());
    }

    @Override
    public void close() {
        database.runCommand(new Document("dropUser", name));
        database.runCommand(new Document("dropRole", name));
    }

    private void create(Map<String, List<String>> actions) {
        List<Document> privileges = actions.entrySet().stream()
                .map(entry -> new Document("resource", resource(entry.getKey())).append("actions", entry.getValue()))
                .toList();
        database.runCommand(new Document("createRole", name)
                .append("privileges", privileges)
                .append("roles", List.of()));
        database.runCommand(
                new Document("createUser", name).append("pwd", password).append("roles", List.of(name)));
    }

    private Document resource(String collection) {
        return new Document("db", database.getName()).append("collection", collection);
    }

    /** Skips the test unless the connection is authenticated, which shows that the server has access control. */
    private static void requireAccessControl(MongoDatabase database) {
        try {
            Document status = database.runCommand(new Document("connectionStatus", 1));
            List<Document> users = status.get("authInfo", Document.class).getList("authenticatedUsers", Document.class);
            if (!users.isEmpty()) {
                return;
            }
        } catch (MongoCommandException e) {
            abort("The server does not report the authenticated user, so its access control is unknown");
        }
        abort("The server has no access control, or the contract is not authenticated");
    }
}
