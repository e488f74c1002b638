package org.mongolocks.doctor.check;

import com.mongodb.MongoException;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.mongolocks.doctor.check.CheckResult.Status;
import org.mongolocks.internal.run.DriverOptions;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.schema.ExistingCollection;
import org.mongolocks.internal.schema.ExistingCollection.Problem;
import org.mongolocks.internal.schema.SchemaInspection;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp.ReadSchema;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

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
        SchemaInspection.Seen seen = run(deployment, inspection.start(deployment.isRouter()));
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

    private static SchemaInspection.Seen run(Deployment deployment, Step<SchemaInspection.Seen> first) {
        Step<SchemaInspection.Seen> step = first;
        while (step instanceof Step.Call<SchemaInspection.Seen> call) {
            step = call.then().apply(read(deployment, (ReadSchema) call.op()));
        }
        if (step instanceof Step.Fail<SchemaInspection.Seen> fail) {
            throw fail.failure().cause();
        }
        return ((Step.Done<SchemaInspection.Seen>) step).result();
    }

    private static Reply read(Deployment deployment, ReadSchema read) {
        MongoDatabase database = deployment.database();
        String name = read.collection();
        MongoIterable<BsonDocument> found =
                switch (read.part()) {
                    case OPTIONS -> database.listCollections(BsonDocument.class).filter(Filters.eq("name", name));
                    case INDEXES -> database.getCollection(name).listIndexes(BsonDocument.class);
                    case SHARD_KEY ->
                        deployment
                                .config()
                                .getCollection("collections", BsonDocument.class)
                                .find(DriverOptions.sharded(database.getName(), name));
                };
        try {
            return new Reply.FoundMany(found.into(new ArrayList<>()));
        } catch (MongoException e) {
            return new Reply.Failed(FaultClassifier.classify(e), e);
        }
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
