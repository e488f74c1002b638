package org.mongolocks.embedded.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Compares a reply with the recorded one, types included, and reports the differences. */
final class ReplyComparer {
    // Not recorded, or not to be compared letter by letter.
    private static final Set<String> LEFT_OUT = Set.of(
            "$clusterTime",
            "operationTime",
            "opTime",
            "electionId",
            "recoveryToken",
            "localTime",
            "topologyVersion",
            "commitQuorum",
            "postBatchResumeToken",
            "errmsg");

    private final boolean allowsMore;
    private final List<String> differences = new ArrayList<>();

    private ReplyComparer(boolean allowsMore) {
        this.allowsMore = allowsMore;
    }

    /**
     * Compares two replies.
     *
     * @param allowsMore whether the reply may have fields beyond those that were recorded, as those of a handshake have
     */
    static List<String> differences(BsonDocument expected, BsonDocument actual, boolean allowsMore) {
        ReplyComparer comparer = new ReplyComparer(allowsMore);
        comparer.compareFields("", expected, actual, allowsMore);
        return comparer.differences;
    }

    private void compareFields(String path, BsonDocument expected, BsonDocument actual, boolean isOpen) {
        List<String> expectedNames = names(expected);
        List<String> actualNames = names(actual);
        if (isOpen) {
            actualNames.retainAll(expectedNames);
        }
        // At the top, where a server may put its fields in any order, only their set counts.
        boolean isTop = path.isEmpty();
        boolean isSame =
                isTop ? Set.copyOf(expectedNames).equals(Set.copyOf(actualNames)) : expectedNames.equals(actualNames);
        if (!isSame) {
            differences.add(path + ": fields " + expectedNames + " expected, but found " + actualNames);
        }
        for (String name : expectedNames) {
            BsonValue wanted = expected.get(name);
            BsonValue found = actual.get(name);
            if (wanted != null && found != null) {
                compare(path.isEmpty() ? name : path + '.' + name, wanted, found);
            }
        }
    }

    private static List<String> names(BsonDocument document) {
        List<String> names = new ArrayList<>(document.keySet());
        names.removeAll(LEFT_OUT);
        return names;
    }

    private void compare(String path, BsonValue expected, BsonValue actual) {
        String wildcard = wildcard(expected);
        if (wildcard != null) {
            if (!isOfKind(wildcard, actual)) {
                differences.add(path + ": " + wildcard + " expected, but found " + actual);
            }
        } else if (expected.getBsonType() != actual.getBsonType()) {
            differences.add(path + ": " + expected + " expected, but found " + actual);
        } else if (expected instanceof BsonDocument document) {
            compareFields(path, document, actual.asDocument(), allowsMore);
        } else if (expected instanceof BsonArray array) {
            compareElements(path, array, actual.asArray());
        } else if (!expected.equals(actual)) {
            differences.add(path + ": " + expected + " expected, but found " + actual);
        }
    }

    private void compareElements(String path, BsonArray expected, BsonArray actual) {
        if (expected.size() != actual.size()) {
            differences.add(path + ": " + expected + " expected, but found " + actual);
            return;
        }
        for (int i = 0; i < expected.size(); i++) {
            compare(path + '.' + i, expected.get(i), actual.get(i));
        }
    }

    private static @Nullable String wildcard(BsonValue expected) {
        boolean isWildcard =
                expected instanceof BsonDocument document && document.size() == 1 && document.containsKey("$any");
        return isWildcard ? expected.asDocument().getString("$any").getValue() : null;
    }

    private static boolean isOfKind(String kind, BsonValue actual) {
        return switch (kind) {
            case "date" -> actual.isDateTime();
            case "timestamp" -> actual.isTimestamp();
            case "objectId" -> actual.isObjectId();
            case "uuid" -> actual.isBinary() && actual.asBinary().getType() == 4;
            case "cursorId" -> actual.isInt64() && actual.asInt64().getValue() != 0;
            case "millis" -> actual.isInt64();
            case "resumeToken" ->
                actual.isDocument()
                        && actual.asDocument().containsKey("_data")
                        && actual.asDocument().get("_data").getBsonType() == BsonType.STRING;
            default -> throw new IllegalArgumentException("unknown kind: " + kind);
        };
    }
}
