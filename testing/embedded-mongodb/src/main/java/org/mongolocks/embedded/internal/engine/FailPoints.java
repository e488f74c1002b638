package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The fail point {@code failCommand}. */
public final class FailPoints {
    private static final int FAIL_POINT_SET_FAILED = 266;
    private static final String FAIL_COMMAND = "failCommand";

    /** The data that it may have. */
    private static final Set<String> KNOWN = Set.of("""
            failCommands errorCode errorLabels closeConnection blockConnection blockTimeMS writeConcernError
            appName""".split("\\s+"));

    private static final long ALWAYS = Long.MAX_VALUE;

    private Document data = new Document();
    private long times;

    /** Sets a fail point as the command {@code configureFailPoint} says. */
    public void configure(String name, Document command) {
        if (!name.equals(FAIL_COMMAND)) {
            throw new CommandError(FAIL_POINT_SET_FAILED, "failpoint " + name + " not found");
        }
        if (!(command.getOrDefault("data", new Document()) instanceof Document asked)) {
            throw CommandError.typeMismatch("the 'data' option must be an object");
        }
        for (String field : asked.keySet()) {
            if (!KNOWN.contains(field)) {
                throw CommandError.unsupported(name + " with " + field);
            }
        }
        times = times(command.get("mode"));
        data = asked;
    }

    private static long times(@Nullable Object mode) {
        if ("off".equals(mode)) {
            return 0;
        }
        if (mode instanceof Document counted
                && counted.get("times") instanceof Number times
                && Numbers.whole(times) >= 0) {
            return Numbers.whole(times);
        }
        if (!"alwaysOn".equals(mode)) {
            throw CommandError.unsupported("A fail point with the mode " + ShellText.of(mode));
        }
        return ALWAYS;
    }

    // Counts an occasion on which the fail point acts; whether it does.
    private boolean acts(Call call) {
        if (!names(call)) {
            return false;
        }
        times -= times == ALWAYS ? 0 : 1;
        return true;
    }

    // The action of failCommand for a command before it runs, or null.
    private @Nullable Document before(Call call) {
        boolean isMeant = Values.isTrue(data.get("closeConnection"))
                || Values.isTrue(data.get("blockConnection"))
                || data.get("errorCode") instanceof Number;
        return isMeant && acts(call) ? data : null;
    }

    /** The error that {@code failCommand} adds to the reply of a command that has run, or null. */
    @Nullable
    Document writeConcernError(Call call) {
        boolean isMeant = data.get("writeConcernError") instanceof Document;
        return isMeant && acts(call) ? data : null;
    }

    private boolean names(Call call) {
        boolean isMeant =
                !data.containsKey("appName") || call.connection().appName().equals(data.get("appName"));
        return times > 0
                && isMeant
                && !call.definition().name().equals("configureFailPoint")
                && data.get("failCommands") instanceof List<?> names
                && names.stream().anyMatch(name -> call.definition().isCalled(name));
    }

    /** Thrown to close the connection of a command in the place of an answer. */
    public static final class ConnectionClosed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public ConnectionClosed() {
            super("connection closed", null, false, false);
        }
    }

    /** Closes the connection or blocks the command; a block that is over comes to {@link #failIfAsked}. */
    void evaluateFailCommand(Call call) {
        Document data = before(call);
        if (data == null) {
            return;
        }
        if (Values.isTrue(data.get("closeConnection"))) {
            throw new ConnectionClosed();
        }
        call.setFailure(data);
        if (Values.isTrue(data.get("blockConnection"))) {
            throw Park.until(call.server().now() + blockMillis(data));
        }
    }

    private static long blockMillis(Document data) {
        if (!(data.get("blockTimeMS") instanceof Number millis)) {
            throw CommandError.invalidOptions("must specify 'blockTimeMS' when 'blockConnection' is true");
        }
        if (Numbers.whole(millis) < 0) {
            throw CommandError.invalidOptions("'blockTimeMS' must be non-negative");
        }
        return Numbers.whole(millis);
    }

    /** Fails the command with the code of the fail point, if it has one. */
    static void failIfAsked(Call call) {
        Document data = call.failure();
        if (data != null && data.get("errorCode") instanceof Number code) {
            overrideLabels(call, data);
            throw failure(Numbers.wholeInt(code));
        }
    }

    /** The fields of a duplicate key error, which a fail point cannot give, are required by the server. */
    private static CommandError failure(int code) {
        return code == ErrorCode.DUPLICATE_KEY
                ? new CommandError(
                        ErrorCode.MISSING_EXTRA_INFO, "Missing required extra info for error code DuplicateKey")
                : new CommandError(code, "Failing command due to 'failCommand' failpoint");
    }

    /** Labels that the fail point names take the place of those that the error would have. */
    static void overrideLabels(Call call, Document data) {
        if (data.get("errorLabels") instanceof List<?> labels) {
            List<String> names = new ArrayList<>();
            labels.forEach(label -> names.add(String.valueOf(label)));
            call.overrideLabels(names);
        }
    }
}
