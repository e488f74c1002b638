package org.mongolocks.contract.operate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.spi.LockSchema;

/** The roles that operators create according to docs/operations.md, parsed from that document. */
final class DocumentedRoles {
    /** The key for actions on the database of the locks rather than on a collection. */
    static final String DATABASE = "";
    /** The database of a cluster's own collections. */
    static final String CONFIG = "config";

    private static final Pattern ROLE = Pattern.compile("createRole\\((\\{.*?\\n})\\)", Pattern.DOTALL);
    private static final Pattern COLLECTION = Pattern.compile("locks\\.[a-z-]+(\\.([a-z]+))?");

    private final Map<String, BsonDocument> roles;

    private DocumentedRoles(Map<String, BsonDocument> roles) {
        this.roles = roles;
    }

    static DocumentedRoles read() {
        try {
            String document = Files.readString(Path.of("..", "..", "docs", "operations.md"));
            return new DocumentedRoles(ROLE.matcher(document)
                    .results()
                    .map(match -> BsonDocument.parse(match.group(1)))
                    .collect(Collectors.toMap(role -> role.getString("role").getValue(), role -> role)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the actions that the roles together permit, by collection as a strategy names it or as {@code config.} and
     * its name, or by database.
     */
    Map<String, Set<String>> actionsOf(Set<String> names) {
        Map<String, Set<String>> actions = new TreeMap<>();
        for (String name : names) {
            for (BsonValue privilege :
                    Objects.requireNonNull(roles.get(name), name).getArray("privileges")) {
                BsonDocument resource = privilege.asDocument().getDocument("resource");
                Set<String> allowed = actions.computeIfAbsent(collection(resource), any -> new TreeSet<>());
                privilege
                        .asDocument()
                        .getArray("actions")
                        .forEach(action -> allowed.add(action.asString().getValue()));
            }
        }
        return actions;
    }

    private static String collection(BsonDocument resource) {
        if (resource.getString("collection").getValue().isEmpty()) {
            return DATABASE;
        }
        String name = resource.getString("collection").getValue();
        if (resource.getString("db").getValue().equals(CONFIG)) {
            return CONFIG + '.' + name;
        }
        Matcher matcher = COLLECTION.matcher(name);
        if (!matcher.matches()) {
            throw new AssertionError("Not a collection of locks: " + resource.toJson());
        }
        return matcher.group(2) == null ? LockSchema.LOCKS : matcher.group(2);
    }
}
