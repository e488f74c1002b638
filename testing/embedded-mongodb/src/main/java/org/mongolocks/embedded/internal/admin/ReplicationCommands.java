package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.TopologyState;

/** replSetStepDown, replSetFreeze and replSetGetStatus. */
public final class ReplicationCommands {
    private static final long DEFAULT_STEP_DOWN_SECONDS = 60;
    private static final long DEFAULT_CATCH_UP_SECONDS = 10;
    private static final int STATE_PRIMARY = 1;
    private static final int STATE_SECONDARY = 2;

    private ReplicationCommands() {}

    /** Steps down in two moments, between which waiting clients receive the first. */
    public static Document stepDown(Call call) {
        TopologyState topology = call.server().topology();
        long millis = 1000 * stepDownSeconds(call);
        boolean isBegun = call.isContinued();
        call.progress(Boolean.class, () -> true);
        if (!isBegun) {
            checkMayStepDown(call);
            topology.stepDown();
            throw Park.forEvent(() -> true);
        }
        call.server().becomeSecondary(call.server().now() + millis);
        return new Document();
    }

    private static long stepDownSeconds(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("force", "secondaryCatchUpPeriodSecs"));
        long asked = call.target() instanceof Number seconds ? Numbers.whole(seconds) : 0;
        long period = asked == 0 ? DEFAULT_STEP_DOWN_SECONDS : asked;
        long catchUp = fields.get("secondaryCatchUpPeriodSecs") instanceof Number seconds
                ? Numbers.whole(seconds)
                : isForced(call) ? 0 : DEFAULT_CATCH_UP_SECONDS;
        require(period > 0, "stepdown period must be a positive integer");
        require(catchUp >= 0, "secondaryCatchUpPeriodSecs period must be a positive or absent");
        require(period >= catchUp, "stepdown period must be longer than secondaryCatchUpPeriodSecs");
        return Math.min(period, Integer.MAX_VALUE);
    }

    private static void checkMayStepDown(Call call) {
        requireReplicaSet(call.server());
        if (!call.server().topology().isPrimary()) {
            throw new CommandError(ErrorCode.NOT_MASTER, "not primary so can't step down");
        }
        // There is no secondary to catch up.
        if (!isForced(call)) {
            throw new CommandError(
                    ErrorCode.EXCEEDED_TIME_LIMIT,
                    "No electable secondaries caught up. Please use the replSetStepDown command with the argument"
                            + " {force: true} to force node to step down.");
        }
    }

    private static boolean isForced(Call call) {
        return Values.isTrue(call.command().get("force"));
    }

    /** Lets a secondary stand for election at once, or not for some seconds. */
    public static Document freeze(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        Server server = call.server();
        requireReplicaSet(server);
        long seconds = call.target() instanceof Number number ? Numbers.whole(number) : 0;
        require(seconds >= 0, "seconds must be a positive integer");
        if (server.topology().state() != TopologyState.State.SECONDARY) {
            throw new CommandError(
                    ErrorCode.NOT_SECONDARY, "cannot freeze node when primary or running for election. state: Primary");
        }
        server.topology().electAt(server.now() + 1000 * Math.min(seconds, Integer.MAX_VALUE));
        return new Document();
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw CommandError.badValue(message);
        }
    }

    private static void requireReplicaSet(Server server) {
        if (server.config().isRouter()) {
            throw new CommandError(
                    ErrorCode.COMMAND_NOT_SUPPORTED, "commands of replica sets are not supported through mongos");
        }
        if (!server.config().isReplicaSet()) {
            throw new CommandError(ErrorCode.NO_REPLICATION_ENABLED, "not running with --replSet");
        }
    }

    public static Document status(Call call) {
        Server server = call.server();
        requireReplicaSet(server);
        boolean isPrimary = server.topology().isPrimary();
        int state = isPrimary ? STATE_PRIMARY : STATE_SECONDARY;
        Document member = new Document("_id", 0)
                .append("name", server.config().host())
                .append("health", 1.0)
                .append("state", state)
                .append("stateStr", isPrimary ? "PRIMARY" : "SECONDARY")
                .append("self", true);
        return new Document("set", ServerConfig.SET_NAME)
                .append("date", server.clock().instant())
                .append("myState", state)
                .append("term", (long) server.term())
                .append("members", List.of(member));
    }
}
