package org.mongolocks.embedded.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.SessionOptions;

/** Tells clients what they may do about an error. */
final class ErrorLabels {
    private static final Set<Integer> RETRIABLE =
            Set.of(6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);
    private static final Set<Integer> TRANSIENT = Set.of(24, 63, 112, 150, 239, 246, 249, 250, 267, 272, 13388);
    private static final Set<Integer> RESUMABLE = Set.of(63, 133, 150, 234, 13388);
    private static final Set<Integer> NOT_RESUMABLE = Set.of(280, 286);
    private static final Set<Integer> STATE_CHANGE = Set.of(189, 10107, 11602, 13435, 13436);

    private final Call call;
    private final @Nullable Integer code;
    private final @Nullable Integer writeConcernCode;

    /**
     * Labels of one reply.
     *
     * @param code the error of the command, or null
     * @param writeConcernCode the error of the write concern, or null
     */
    ErrorLabels(Call call, @Nullable Integer code, @Nullable Integer writeConcernCode) {
        this.call = call;
        this.code = code;
        this.writeConcernCode = writeConcernCode;
    }

    List<String> all() {
        List<String> labels = new ArrayList<>();
        if (isTransient()) {
            labels.add("TransientTransactionError");
        } else if (isRetryable()) {
            labels.add("RetryableWriteError");
        } else if (isResumable()) {
            labels.add("ResumableChangeStreamError");
        } else if (code != null && NOT_RESUMABLE.contains(code)) {
            labels.add("NonResumableChangeStreamError");
        }
        return labels;
    }

    /** Whether the reply reports that the server is not primary, or was not for a while. */
    boolean isStateChange() {
        return isIn(STATE_CHANGE, code) || isIn(STATE_CHANGE, writeConcernCode);
    }

    private boolean isTransient() {
        SessionOptions options = call.options();
        if (code == null || options.txnNumber() == null || !options.isTransaction()) {
            return false;
        }
        if (TRANSIENT.contains(code)) {
            return true;
        }
        return call.definition().is(ServerFeature.TRANSACTION_END)
                ? code == ErrorCode.NO_SUCH_TRANSACTION && writeConcernCode == null
                : code == ErrorCode.NO_SUCH_TRANSACTION || RETRIABLE.contains(code);
    }

    private boolean isRetryable() {
        SessionOptions options = call.options();
        boolean isRetryableWrite = options.txnNumber() != null
                && (!options.isTransaction() || call.definition().is(ServerFeature.TRANSACTION_END));
        return isRetryableWrite && (isIn(RETRIABLE, code) || isIn(RETRIABLE, writeConcernCode));
    }

    private boolean isResumable() {
        return writeConcernCode == null && call.isOnChangeStream() && (isIn(RETRIABLE, code) || isIn(RESUMABLE, code));
    }

    private static boolean isIn(Set<Integer> codes, @Nullable Integer code) {
        return code != null && codes.contains(code);
    }
}
