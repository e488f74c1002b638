package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.state.TopologyState;

/** replSetStepDown. */
public final class StepDownCommand {
    private StepDownCommand() {}

    /** Steps down in two moments, between which waiting clients receive the first. */
    public static Document run(Call call) {
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
        Fields.ofCommand(call.command(), Set.of("force", "secondaryCatchUpPeriodSecs"));
        long period = call.target() instanceof Number seconds ? Numbers.whole(seconds) : 0;
        if (period <= 0) {
            throw CommandError.badValue("stepdown period must be a positive integer");
        }
        return Math.min(period, Integer.MAX_VALUE);
    }

    private static void checkMayStepDown(Call call) {
        Server server = call.server();
        if (server.config().isRouter()) {
            throw new CommandError(
                    ErrorCode.COMMAND_NOT_SUPPORTED, "commands of replica sets are not supported through mongos");
        }
        if (!server.config().isReplicaSet()) {
            throw new CommandError(ErrorCode.NO_REPLICATION_ENABLED, "not running with --replSet");
        }
        if (!server.topology().isPrimary()) {
            throw new CommandError(ErrorCode.NOT_MASTER, "not primary so can't step down");
        }
        // There is no secondary to catch up.
        if (!Values.isTrue(call.command().get("force"))) {
            throw new CommandError(
                    ErrorCode.EXCEEDED_TIME_LIMIT,
                    "No electable secondaries caught up. Please use the replSetStepDown command with the argument"
                            + " {force: true} to force node to step down.");
        }
    }
}
