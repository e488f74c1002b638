package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;

/**
 * A check of the server's description. The version is shown and not trusted, with one exception: a client refuses a
 * server with a wire version before MongoDB 4.4, and so does this check.
 */
final class ServerCheck extends Check {
    ServerCheck() {
        super("server", Promise.OPERATION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) {
        String seen = version(deployment) + ", " + deployment.topology() + ": "
                + deployment.servers().stream().map(ServerAddress::toString).collect(Collectors.joining(", "))
                + (isAlone(deployment) ? ", its only member: while it is down, no lock is acquired or renewed" : "");
        return Stream.of(Stream.of(ok(deployment, seen)), standalone(deployment), tooOld(deployment))
                .flatMap(findings -> findings);
    }

    private static boolean isAlone(Deployment deployment) {
        return !deployment.isStandalone()
                && !deployment.isRouter()
                && deployment.members("hosts") + deployment.members("passives") == 1;
    }

    private static String version(Deployment deployment) {
        try {
            BsonDocument build = deployment
                    .database()
                    .runCommand(new BsonDocument("buildInfo", new BsonInt32(1)), BsonDocument.class);
            return "MongoDB "
                    + build.getString("version", new BsonString("of an unknown version"))
                            .getValue() + " according to its description";
        } catch (MongoException e) {
            return "a server that does not report its version";
        }
    }

    private Stream<CheckResult> standalone(Deployment deployment) {
        Set<String> affected = having(deployment, Trait.NEEDS_TRANSACTIONS);
        return deployment.isStandalone() && !affected.isEmpty()
                ? Stream.of(finding(Status.BROKEN, affected, "a standalone server has no transactions")
                        .advise("Start the server as a replica set (a single node is enough: mongod --replSet rs0, then"
                                + " rs.initiate()), or choose another strategy."))
                : Stream.empty();
    }

    private Stream<CheckResult> tooOld(Deployment deployment) {
        int version =
                deployment.hello().getInt32("maxWireVersion", new BsonInt32(0)).getValue();
        Set<String> affected = having(deployment, Trait.SERVER_CLOCK);
        return version < MongoOp.Hello.WIRE_VERSION_4_4 && !affected.isEmpty()
                ? Stream.of(finding(
                                Status.BROKEN,
                                affected,
                                "the wire version is " + version + " and not " + MongoOp.Hello.WIRE_VERSION_4_4
                                        + " or more, so that clients refuse the server")
                        .advise("Use MongoDB 4.4 or newer, or the strategy optimistic-version-clock-free."))
                : Stream.empty();
    }

    static Set<String> having(Deployment deployment, Trait trait) {
        return deployment.strategies().stream()
                .filter(strategy -> strategy.traits().contains(trait))
                .map(LockStrategy::name)
                .collect(Collectors.toSet());
    }
}
