package org.mongolocks.embedded.internal.state;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The versions of MongoDB that the server answers as, and what differs between them; {@code docs/embedded.md} names the sources. */
public enum ServerVersion {
    V4_4(4, 4, 9),
    V5_0(5, 0, 13),
    V7_0(7, 0, 21),
    V8_0(8, 0, 25),
    V9_0(9, 0, 29);

    private static final Set<String> STABLE_API = Set.of("""
            abortTransaction aggregate collMod commitTransaction create createIndexes delete drop dropDatabase dropIndexes
            endSessions explain find findAndModify getMore hello insert killCursors listCollections listDatabases listIndexes
            ping refreshSessions update""".split("\\s+"));

    private static final Map<Integer, String> CODE_NAMES_SINCE_5_0 = Map.of(
            10107,
            "NotWritablePrimary",
            13435,
            "NotPrimaryNoSecondaryOk",
            13436,
            "NotPrimaryOrSecondary",
            ErrorCode.API_VERSION_ERROR,
            "APIVersionError",
            ErrorCode.API_STRICT_ERROR,
            "APIStrictError",
            324,
            "APIDeprecationError",
            ErrorCode.API_MISMATCH_ERROR,
            "APIMismatchError");

    private static final Map<Integer, String> CODE_NAMES_SINCE_8_0 = Map.of(462, "IngressRequestRateLimitExceeded");

    private final int major;
    private final int minor;
    private final int maxWireVersion;

    ServerVersion(int major, int minor, int maxWireVersion) {
        this.major = major;
        this.minor = minor;
        this.maxWireVersion = maxWireVersion;
    }

    /**
     * Finds a version.
     *
     * @param release its name, such as {@code 5.0}
     * @throws IllegalArgumentException if it is none of those that the server answers as
     */
    public static ServerVersion of(String release) {
        for (ServerVersion version : values()) {
            if (version.release().equals(release)) {
                return version;
            }
        }
        throw new IllegalArgumentException("version must be one of " + names() + ", was " + release);
    }

    /** The names of all versions, the oldest first. */
    public static String names() {
        return Arrays.stream(values()).map(ServerVersion::release).collect(Collectors.joining(", "));
    }

    /** The name, such as {@code 5.0}; also the feature compatibility version. */
    public String release() {
        return major + "." + minor;
    }

    /** The full version, as {@code buildInfo} gives it. */
    public String full() {
        return release() + ".0";
    }

    /** The parts of the full version, as {@code buildInfo} gives them. */
    public List<Integer> numbers() {
        return List.of(major, minor, 0, 0);
    }

    /** The newest version of the wire protocol. */
    public int maxWireVersion() {
        return maxWireVersion;
    }

    private boolean isSince(ServerVersion first) {
        return compareTo(first) >= 0;
    }

    /** Whether a command may declare the stable API; the fields that do so are unknown fields otherwise. */
    public boolean hasStableApi() {
        return isSince(V5_0);
    }

    /** Whether a command is in version 1 of the stable API. */
    public boolean isInStableApi(String command) {
        return STABLE_API.contains(command) || (command.equals("count") && isSince(V7_0));
    }

    /** Whether an update is logged as the difference that it makes, so that also an update by a pipeline is an event with changed fields. */
    public boolean logsDiffs() {
        return isSince(V5_0);
    }

    /** Whether events have the time of the primary's clock, {@code wallTime}. */
    public boolean hasWallTimes() {
        return isSince(V7_0);
    }

    /** Whether the query of a delete may use {@code $$NOW}. */
    public boolean hasNowInDeletes() {
        return isSince(V5_0);
    }

    /** Whether an upsert that another one was faster than is repeated also if it is a findAndModify. */
    public boolean repeatsFindAndModify() {
        return isSince(V5_0);
    }

    /** The name of an error code; the codes that have none are called after the place that raised them. */
    public String codeName(int code) {
        String name = isSince(V8_0) ? CODE_NAMES_SINCE_8_0.get(code) : null;
        if (name == null && isSince(V5_0)) {
            name = CODE_NAMES_SINCE_5_0.get(code);
        }
        return name == null ? ErrorCode.nameOf(code) : name;
    }
}
