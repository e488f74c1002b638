package org.mongolocks.embedded.internal.engine;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.ApiParameters;

/** The rules of the stable API: which commands may declare what, and that those that belong together declare the same. */
public final class StableApi {
    private static final String VERSION = "1";
    private static final int NO_VERSION = 4886600;

    private StableApi() {}

    /** Checks what a command declares before anything else of it. */
    static void check(Call call) {
        ApiParameters api = call.api();
        check("apiVersion", api.version(), String.class, BsonKind.STRING);
        check("apiStrict", api.isStrict(), Boolean.class, BsonKind.BOOL);
        check("apiDeprecationErrors", api.refusesDeprecated(), Boolean.class, BsonKind.BOOL);
        if (api.version() == null) {
            if (api.isStrict() != null || api.refusesDeprecated() != null) {
                throw new CommandError(
                        NO_VERSION, "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
            }
        } else if (!api.version().equals(VERSION)) {
            throw new CommandError(
                    ErrorCode.API_VERSION_ERROR,
                    api.version().equals("2") ? "Cannot accept API version 2" : "API version must be \"1\"");
        }
        String command = call.definition().name();
        boolean isOutside = !call.server().config().version().isInStableApi(command);
        if (Boolean.TRUE.equals(api.isStrict()) && isOutside) {
            throw new CommandError(
                    ErrorCode.API_STRICT_ERROR,
                    "Provided apiStrict:true, but the command " + command + " is not in API Version " + VERSION);
        }
    }

    private static void check(String name, @Nullable Object value, Class<?> type, BsonKind expected) {
        if (value != null && !type.isInstance(value)) {
            throw CommandError.typeMismatch("BSON field 'APIParametersFromClient." + name + "' is the wrong type '"
                    + BsonKind.nameOf(value) + "', expected type '" + expected.alias() + "'");
        }
    }

    /**
     * Refuses a command that declares something else than the one that it continues.
     *
     * @param first what that one declared
     * @param name what that one is called in the error message
     */
    public static void checkSame(Call call, ApiParameters first, String name) {
        if (!call.api().equals(first)) {
            throw new CommandError(
                    ErrorCode.API_MISMATCH_ERROR,
                    "API parameter mismatch: " + call.definition().name() + " used params " + call.api() + ", " + name
                            + " used " + first);
        }
    }
}
