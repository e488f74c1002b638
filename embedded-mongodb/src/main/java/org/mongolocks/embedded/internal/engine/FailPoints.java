package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The fail points: {@code failCommand}, and the one that loses the reply to a write that was done. */
public final class FailPoints {
    private static final int FAIL_POINT_SET_FAILED = 266;

    private FailPoint failCommand = FailPoint.off();
    private FailPoint afterWrite = FailPoint.off();

    /** Sets a fail point as the command {@code configureFailPoint} says. */
    public void configure(String name, Document command) {
        FailPoint configured = FailPoint.parse(command);
        switch (name) {
            case "failCommand" -> failCommand = configured;
            case "onPrimaryTransactionalWrite" -> afterWrite = checkedAfterWrite(configured);
            default -> throw new CommandError(FAIL_POINT_SET_FAILED, "failpoint " + name + " not found");
        }
    }

    private static FailPoint checkedAfterWrite(FailPoint configured) {
        for (String field : configured.data().keySet()) {
            if (!field.equals("closeConnection")) {
                throw new CommandError(
                        ErrorCode.NOT_IMPLEMENTED,
                        "onPrimaryTransactionalWrite with " + field + " is not supported by the embedded server");
            }
        }
        return configured;
    }

    /** What {@code failCommand} has in store for a command before it runs, or null. */
    @Nullable
    Document before(Call call) {
        Document data = failCommand.data();
        boolean acts = Truth.of(data.get("closeConnection"))
                || Truth.of(data.get("blockConnection"))
                || data.get("errorCode") instanceof Number;
        return acts && applies(call) && failCommand.acts() ? data : null;
    }

    /** What {@code failCommand} puts into the reply of a command that has run, or null. */
    @Nullable
    Document writeConcernError(Call call) {
        Document data = failCommand.data();
        return data.get("writeConcernError") instanceof Document && applies(call) && failCommand.acts() ? data : null;
    }

    private boolean applies(Call call) {
        if (!failCommand.isOn() || call.definition().name().equals("configureFailPoint")) {
            return false;
        }
        Document data = failCommand.data();
        if (data.containsKey("appName") && !call.connection().appName().equals(data.get("appName"))) {
            return false;
        }
        if (data.containsKey("namespace") && !call.namespaceText().equals(data.get("namespace"))) {
            return false;
        }
        return data.get("failCommands") instanceof List<?> names
                && names.stream().anyMatch(name -> call.definition().isCalled(name));
    }

    /** Whether the reply to a retryable write that was done gets lost. */
    public boolean closesAfterWrite() {
        boolean isOn = afterWrite.isOn() && afterWrite.acts();
        return isOn && Truth.of(afterWrite.data().getOrDefault("closeConnection", true));
    }
}
