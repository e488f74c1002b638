package org.mongolocks.doctor.check;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.internal.schema.ExistingCollection;
import org.mongolocks.internal.schema.ExistingCollection.Problem;
import org.mongolocks.internal.schema.SchemaInspection;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.ProgramRunner;

/** A check of the lock collections themselves, the same that a client does when it is built. */
final class CollectionCheck extends Check {
    CollectionCheck() {
        super("lock-collections", Promise.OPERATION, Promise.EXCLUSION, Promise.TOKENS);
    }

    @Override
    Stream<CheckResult> look(Deployment deployment) throws InterruptedException {
        Stream.Builder<CheckResult> findings = Stream.builder();
        for (LockStrategy strategy : deployment.strategies()) {
            look(deployment, strategy).forEach(findings::add);
        }
        return findings.build();
    }

    private Stream<CheckResult> look(Deployment deployment, LockStrategy strategy) throws InterruptedException {
        String base = deployment.collectionOf(strategy);
        LockSchema schema = strategy.schema();
        List<LockCollection> collections = schema.collections().stream()
                .map(wanted -> new LockCollection(schema.resolve(wanted.name(), base), wanted.ttl()))
                .toList();
        SchemaInspection inspection = new SchemaInspection(strategy.name(), collections, UnaryOperator.identity());
        SchemaInspection.Seen seen = ProgramRunner.on(
                        deployment.client(), deployment.database().getName())
                .run(() -> inspection.start(deployment.isRouter()));
        return Stream.of(
                        seen.collections().stream().flatMap(state -> faults(state, strategy)),
                        seen
                                .warning()
                                .map(warning -> finding(Status.UNSEEN, Set.of(strategy.name()), warning))
                                .stream(),
                        summary(seen, strategy),
                        tidy(seen, strategy))
                .flatMap(findings -> findings);
    }

    /** One finding for each problem, each with the commands for all problems of the collection. */
    private Stream<CheckResult> faults(ExistingCollection state, LockStrategy strategy) {
        List<Problem> faults = state.faults();
        List<String> commands = new CollectionRepair(state).of(faults);
        String advice = "Give " + strategy.name() + " another collection"
                + (commands.isEmpty() ? "." : ", or stop its clients and run: " + String.join("; ", commands));
        return faults.stream()
                .map(fault -> finding(Status.BROKEN, Set.of(strategy.name()), fault.found()))
                .map(finding -> finding.advise(advice));
    }

    private Stream<CheckResult> summary(SchemaInspection.Seen seen, LockStrategy strategy) {
        boolean isSound = seen.warning().isEmpty()
                && seen.collections().stream().allMatch(state -> state.faults().isEmpty());
        if (!isSound) {
            return Stream.empty();
        }
        String name = seen.collections().get(0).name();
        List<String> create = seen.collections().stream()
                .filter(ExistingCollection::isMissing)
                .flatMap(state -> new CollectionRepair(state).of(state.gaps()).stream())
                .toList();
        return Stream.of(finding(
                Status.OK,
                Set.of(strategy.name()),
                "locks of " + strategy.name() + " hold in collection '" + name + "'"
                        + (create.isEmpty()
                                ? ""
                                : ", which is not complete yet; schema mode VALIDATE needs: "
                                        + String.join("; ", create))));
    }

    private static Stream<CheckResult> tidy(SchemaInspection.Seen seen, LockStrategy strategy) {
        return seen.collections().stream()
                .filter(state -> state.exists() && state.faults().isEmpty())
                .flatMap(state -> state.gaps().stream()
                        .map(gap -> new CheckResult(
                                "lock-collections",
                                Status.WARNING,
                                gap.found() + ", so that unused documents stay",
                                Set.of(Promise.CLEAN_UP),
                                Set.of(strategy.name()),
                                List.of("Run: " + String.join("; ", new CollectionRepair(state).of(List.of(gap)))))));
    }
}
