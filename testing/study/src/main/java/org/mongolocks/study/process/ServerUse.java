package org.mongolocks.study.process;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;

/**
 * The resources that a server reports as in use.
 *
 * @param values their numbers, by the paths in the reply to {@code serverStatus}; a path that the server does not
 *     report is absent
 */
record ServerUse(Map<String, Long> values) {
    private static final List<String> PATHS = List.of(
            "connections.current", "metrics.cursor.open.total", "logicalSessionRecordCache.activeSessionsCount");

    static ServerUse of(MongoClient mongo) {
        Map<String, Long> values = new TreeMap<>();
        Document status = status(mongo);
        for (String path : PATHS) {
            Object value = status.getEmbedded(List.of(path.split("\\.", -1)), Object.class);
            if (value instanceof Number number) {
                values.put(path, number.longValue());
            }
        }
        return new ServerUse(values);
    }

    /** A server may refuse the question to this user. */
    private static Document status(MongoClient mongo) {
        try {
            return mongo.getDatabase("admin").runCommand(new Document("serverStatus", 1));
        } catch (MongoCommandException e) {
            return new Document();
        }
    }

    /** Returns a sentence for each resource that has grown by more than a limit. */
    List<String> grownBy(long limit, ServerUse later) {
        return values.entrySet().stream()
                .filter(one -> later.values().getOrDefault(one.getKey(), 0L) > one.getValue() + limit)
                .map(one -> "the server's " + one.getKey() + " grew from " + one.getValue() + " to "
                        + later.values().get(one.getKey()) + " without faults")
                .toList();
    }
}
