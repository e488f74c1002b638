package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;

/** A fail point: when it is on, and with which data. */
final class FailPoint {
    private static final FailPoint OFF = new FailPoint(new Document(), 0);
    private static final long ALWAYS = Long.MAX_VALUE;

    private final Document data;
    private long times;

    private FailPoint(Document data, long times) {
        this.data = data;
        this.times = times;
    }

    static FailPoint off() {
        return OFF;
    }

    static FailPoint parse(Document command) {
        Object data = command.getOrDefault("data", new Document());
        if (!(data instanceof Document document)) {
            throw CommandError.typeMismatch("the 'data' option must be an object, but it is " + BsonKind.nameOf(data));
        }
        if (!command.containsKey("mode")) {
            throw CommandError.illegalOperation("When setting a failpoint, you must supply a 'mode'");
        }
        Object mode = command.get("mode");
        return mode instanceof Document counted ? counted(counted, document) : named(mode, document);
    }

    private static FailPoint named(@Nullable Object mode, Document data) {
        if (!(mode instanceof String name)) {
            throw CommandError.typeMismatch("'mode' must be a string or JSON object");
        }
        return switch (name) {
            case "off" -> OFF;
            case "alwaysOn" -> new FailPoint(data, ALWAYS);
            default -> throw CommandError.badValue("unknown mode: " + name);
        };
    }

    private static FailPoint counted(Document mode, Document data) {
        if (mode.containsKey("times")) {
            return new FailPoint(data, count(mode, "times"));
        }
        throw CommandError.unsupported("A fail point with the mode " + ShellText.of(mode));
    }

    private static long count(Document mode, String name) {
        if (!(mode.get(name) instanceof Number count)) {
            throw CommandError.typeMismatch("'" + name + "' must be a number");
        }
        if (Numbers.whole(count) < 0 || Numbers.whole(count) > Integer.MAX_VALUE) {
            throw CommandError.badValue("'" + name + "' option to 'mode' must be a non-negative 32-bit integer");
        }
        return Numbers.whole(count);
    }

    boolean isOn() {
        return times > 0;
    }

    Document data() {
        return data;
    }

    /** Counts an occasion on which the fail point applies; whether it acts. */
    boolean acts() {
        if (times <= 0) {
            return false;
        }
        times -= times == ALWAYS ? 0 : 1;
        return true;
    }
}
