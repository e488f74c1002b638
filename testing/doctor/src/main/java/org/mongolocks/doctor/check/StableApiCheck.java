package org.mongolocks.doctor.check;

import com.mongodb.client.MongoClient;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonInt32;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.spi.LockStrategy;

/** A check whether applications can lock that declare version 1 of the Stable API, strictly. */
final class StableApiCheck extends Check {
    private static final int WIRE_VERSION_5_0 = 13;

    private final LockLifeCheck life = new LockLifeCheck();

    StableApiCheck() {
        super("stable-api", Promise.OPERATION);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) throws InterruptedException {
        int version =
                deployment.hello().getInt32("maxWireVersion", new BsonInt32(0)).getValue();
        if (version < WIRE_VERSION_5_0) {
            return Stream.of(ok(deployment, "the server has no Stable API, so that no client can declare it"));
        }
        Stream.Builder<CheckResult> findings = Stream.builder();
        try (MongoClient strict = deployment.connectStrictly()) {
            for (LockStrategy strategy : deployment.strategies()) {
                findings.add(judged(life.live(deployment, strategy, strict, "strict." + strategy.name()), strategy));
            }
        }
        return findings.build();
    }

    private CheckResult judged(CheckResult lived, LockStrategy strategy) {
        Set<String> one = Set.of(strategy.name());
        return switch (lived.status()) {
            case OK, WARNING ->
                finding(Status.OK, one, "clients of " + strategy.name() + " can declare the Stable API, strictly");
            case UNSEEN -> finding(Status.UNSEEN, one, lived.seen());
            case BROKEN ->
                finding(
                                Status.WARNING,
                                one,
                                "a client that declares the Stable API, strictly, cannot lock: " + lived.seen())
                        .advise("Leave the Stable API out of the settings of lock clients, or strict out of it.");
        };
    }
}
