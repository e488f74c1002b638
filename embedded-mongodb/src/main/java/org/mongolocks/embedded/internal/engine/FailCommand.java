package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** Does to a command what the fail point {@code failCommand} asks for. */
final class FailCommand {
    private FailCommand() {}

    /** Closes the connection or blocks the command; a block that is over comes to {@link #failIfAsked}. */
    static void evaluate(Call call) {
        Document data = call.server().failPoints().before(call);
        if (data == null) {
            return;
        }
        if (Values.isTrue(data.get("closeConnection"))) {
            throw new ConnectionClosed();
        }
        call.setFailure(data);
        if (Values.isTrue(data.get("blockConnection"))) {
            throw new Park(Wait.until(call.server().now() + blockMillis(data)));
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
