package org.mongolocks.contract.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.OTHER_NAME;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.ProtocolFixture.lease;
import static org.mongolocks.protocol.Replies.counted;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.none;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.Lease;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LeaseCommands;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** The commands on a held lock; they differ between strategies only in the fields of the lock document. */
class LeaseDocumentCommandsTest {
    private static final String OWN_LOCK =
            "_id: '$job', format: '<strategy>/3', owner: 'me/00000000-0000-0000-0000-000000000001'";
    private static final String RENEWAL = """
            [{$set: {
               renewedAt: {$max: ['$renewedAt', '$$NOW']},
               leaseMs: {$max: [NumberLong(10000),
                 {$subtract: [{$add: ['$renewedAt', '$leaseMs']}, {$max: ['$renewedAt', '$$NOW']}]}]},
               <next revision>}}]""";
    private static final String RELEASE = """
            {$inc: {<revision>: NumberLong(1)},
             <flag>$currentDate: {releasedAt: true},
             $unset: {owner: true, holder: true},
             $rename: {next: 'turn'}}""";
    private static final List<Lease> SEVERAL = List.of(lease(TOKEN), lease(OTHER_NAME, 8));

    /** A strategy, with the parts of its commands that depend on its document. */
    private record Variant(LockStrategy strategy, String revision, boolean hasFlag) {
        static Variant of(String strategy) {
            return new Variant(LockStrategies.named(strategy), "rev", false);
        }

        static Variant withFlag() {
            return new Variant(LockStrategies.named("flag-update"), "rev", true);
        }

        static Variant withVersion() {
            return new Variant(LockStrategies.named("optimistic-version"), "version", false);
        }

        LockDocumentFixtures stored() {
            return new LockDocumentFixtures(strategy.name() + "/3", revision);
        }

        String label(String place) {
            return strategy.name() + "/" + place;
        }

        String command(String template) {
            return template.replace("<next revision>", commands().nextRevision())
                    .replace("<projection>", commands().projection())
                    .replace("<projection with count>", commands().projectionWithCount())
                    .replace("<strategy>", strategy.name())
                    .replace("<revision>", revision)
                    .replace("<flag>", hasFlag ? "$set: {locked: false}, " : "");
        }

        LeaseCommands commands() {
            return stored().commands();
        }

        @Override
        public String toString() {
            return strategy.name();
        }
    }

    static Stream<Variant> thatRenew() {
        return Stream.concat(thatRelease(), Stream.of(Variant.of("transactional")));
    }

    static Stream<Variant> thatRelease() {
        return Stream.concat(thatCountInTheDocument(), Stream.of(Variant.withVersion()));
    }

    static Stream<Variant> thatCountInTheDocument() {
        return Stream.of(Variant.of("findandmodify-counter"), Variant.withFlag(), Variant.of("insert-unique"));
    }

    @ParameterizedTest
    @MethodSource("thatCountInTheDocument")
    void existingDocumentIsExtendedAcquiredOrUnchanged(Variant variant) {
        ProtocolScript.of(variant.strategy().acquire(firstAttempt()))
                .receives(failed(Fault.DUPLICATE_KEY))
                .sends(
                        variant.label("acquire-or-extend"),
                        "{findAndModify: 'locks', query: {_id: '$job'}, update: "
                                + variant.commands()
                                        .acquireOrExtend(
                                                LeaseCommands.nextToken(), variant.hasFlag() ? ", locked: true" : "")
                                + ", fields: " + variant.commands().projection() + "}");
    }

    @ParameterizedTest
    @MethodSource("thatRenew")
    void aWaiterIsRemovedFromTheListByOneCommand(Variant variant) {
        ProtocolScript<Boolean> removal = ProtocolScript.of(variant.strategy().unregister(NAME, ProtocolFixture.WAITER))
                .sends(
                        variant.label("unregister"),
                        variant.command("{update: 'locks', query: {_id: '$job', format: '<strategy>/3',"
                                + " $or: [{waiting: NumberLong(17)}, {passed: NumberLong(17)}]}, update: "
                                + variant.commands().unregistered() + "}"));

        removal.receives(counted(1)).endsWith(true);
        removal.receives(counted(0)).endsWith(false);
    }

    @ParameterizedTest
    @MethodSource("thatRenew")
    void renewalFiltersByOwnerAndTokenAndNeverMovesTheStartBack(Variant variant) {
        ProtocolScript.of(variant.strategy().renew(lease(TOKEN)))
                .sends(
                        variant.label("renew"),
                        variant.command("{update: 'locks', query: {" + OWN_LOCK + ", fence: NumberLong(7)}, update: "
                                + RENEWAL + "}"))
                .receives(counted(1))
                .endsWith(new Renewal.Renewed());
    }

    @ParameterizedTest
    @MethodSource("thatRenew")
    void aReleaseBeforeTheMinimumStartsALeaseOfNoOwner(Variant variant) {
        ProtocolScript<Boolean> release = ProtocolScript.of(variant.strategy().releaseAfter(lease(TOKEN)))
                .sends(variant.label("release-after"), variant.command("{update: 'locks', query: {" + OWN_LOCK + """
                                , fence: NumberLong(7)},
                                 update: {
                                  $set: {owner: 'me/00000000-0000-0000-0000-000000000001/released', leaseMs: NumberLong(10000)},
                                  $inc: {<revision>: NumberLong(1)},
                                  $currentDate: {renewedAt: true},
                                  $unset: {holder: true},
                                  $rename: {next: 'turn'}}}"""));

        release.receives(counted(1)).endsWith(true);
        release.receives(counted(0)).endsWith(false);
    }

    @ParameterizedTest
    @MethodSource("thatRenew")
    void severalLeasesAreRenewedByOneCommand(Variant variant) {
        assertOneCommand(variant, variant.strategy().renewAll(SEVERAL), "renew-all", RENEWAL);
    }

    /** If fewer updates matched than have no error, some of these did not match either. */
    @ParameterizedTest
    @MethodSource("thatRenew")
    void renewalsThatFailedInPartAreKnownIfAllOthersMatched(Variant variant) {
        BulkWriteError second = new BulkWriteError(133, "no primary", new BsonDocument(), 1);
        WriteConcernError notDurable = new WriteConcernError(64, "WriteConcernFailed", "timeout", new BsonDocument());

        assertThat(variant.strategy().notRenewed(SEVERAL, inPart(1, null, second)))
                .hasValue(List.of(SEVERAL.get(1)));
        assertThat(variant.strategy().notRenewed(SEVERAL, inPart(0, null, second)))
                .isEmpty();
        assertThat(variant.strategy().notRenewed(SEVERAL, inPart(1, notDurable, second)))
                .isEmpty();
        assertThat(variant.strategy()
                        .notRenewed(SEVERAL, new Reply.Failed(Fault.AMBIGUOUS, new MongoException("lost"))))
                .isEmpty();
    }

    private static Reply.Failed inPart(int matched, @Nullable WriteConcernError concern, BulkWriteError error) {
        BulkWriteResult result = BulkWriteResult.acknowledged(0, matched, 0, matched, List.of(), List.of());
        MongoBulkWriteException cause =
                new MongoBulkWriteException(result, List.of(error), concern, new ServerAddress(), Set.of());
        return new Reply.Failed(Fault.AMBIGUOUS, cause);
    }

    @ParameterizedTest
    @MethodSource("thatRenew")
    void lookShowsTheTurnOfTheWaiter(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        ProtocolScript<Optional<LockOutcome.Contended>> look = ProtocolScript.of(
                        variant.strategy().look(NAME, ProtocolFixture.WAITER))
                .sends(
                        variant.label("look"),
                        "{find: 'locks', filter: {_id: '$job'}, projection: "
                                + variant.commands().projectionOfWaiter() + "}");
        BsonDocument awaited = stored.awaited().append("position", new BsonInt32(1));

        look.receives(new Reply.Found(Optional.of(awaited)))
                .endsWith(Optional.of(
                        new LockOutcome.Contended(stored.read(awaited), Optional.of(Turn.ofFree(1, Duration.ZERO)))));
        look.receives(new Reply.Found(Optional.of(stored.heldBy(OTHER))))
                .endsWith(Optional.of(new LockOutcome.Contended(stored.read(stored.heldBy(OTHER)))));
        look.receives(none()).endsWith(Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("thatRelease")
    void releaseFiltersByOwnerAndTokenAndLeavesATombstone(Variant variant) {
        ProtocolScript<Boolean> release = ProtocolScript.of(
                        variant.strategy().release(NAME, ME, OptionalLong.of(TOKEN)))
                .sends(
                        variant.label("release"),
                        variant.command("{update: 'locks', query: {" + OWN_LOCK + ", fence: NumberLong(7)}, update: "
                                + RELEASE + "}"));

        release.receives(counted(1)).endsWith(true);
        release.receives(counted(0)).endsWith(false);
    }

    @ParameterizedTest
    @MethodSource("thatRelease")
    void severalLocksAreReleasedByOneCommand(Variant variant) {
        assertOneCommand(variant, variant.strategy().releaseAll(SEVERAL), "release-all", RELEASE);
    }

    private static void assertOneCommand(
            Variant variant, Optional<Step<Boolean>> program, String label, String update) {
        String first = "{query: {" + OWN_LOCK + ", fence: NumberLong(7)}, update: " + update + "}";
        String second = first.replace("$job'", "$job-2'").replace("NumberLong(7)", "NumberLong(8)");
        ProtocolScript<Boolean> script = ProtocolScript.of(program.orElseThrow())
                .sends(
                        variant.label(label),
                        variant.command("{update: 'locks', updates: [" + first + ", " + second + "]}"));

        script.receives(counted(2)).endsWith(true);
        script.receives(counted(1)).endsWith(false);
    }

    @ParameterizedTest
    @MethodSource("thatRelease")
    void releaseWithoutTokenFiltersByOwner(Variant variant) {
        ProtocolScript.of(variant.strategy().release(NAME, ME, OptionalLong.empty()))
                .sends(
                        variant.label("release"),
                        variant.command("{update: 'locks', query: {" + OWN_LOCK + "}, update: " + RELEASE + "}"))
                .receives(counted(1))
                .endsWith(true);
    }

    @ParameterizedTest
    @MethodSource("thatRelease")
    void forceReleaseFiltersByTheSnapshotAndIncrementsTheToken(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        LockSnapshot held = stored.readWithTime(stored.heldBy(OTHER));
        ProtocolScript<Boolean> force = ProtocolScript.of(variant.strategy().forceRelease(held))
                .sends(variant.label("force-release"), variant.command("""
                        {update: 'locks',
                         query: {_id: '$job', format: '<strategy>/3', <revision>: NumberLong(5), fence: NumberLong(7),
                                 owner: 'other/00000000-0000-0000-0000-000000000002'},
                         update: {
                          $inc: {fence: NumberLong(1), <revision>: NumberLong(1)},
                          <flag>$currentDate: {releasedAt: true, forcedAt: true, renewedAt: true},
                          $unset: {owner: true, holder: true},
                          $rename: {next: 'turn'}}}"""));

        force.receives(counted(1)).endsWith(true);
        force.receives(counted(0)).endsWith(false);
    }

    @ParameterizedTest
    @MethodSource("thatCountInTheDocument")
    void smallTokensAreRaisedAndTheirLocksReleased(Variant variant) {
        LockDocumentFixtures stored = variant.stored();
        BsonDocument large = stored.released().append("fence", new BsonInt64(20));

        ProtocolScript.of(variant.strategy().raiseTokens(LockQuery.all().prefix("$job"), 20))
                .sends(variant.label("list"))
                .receives(new Reply.FoundMany(List.of(stored.heldBy(OTHER), large, stored.foreign())))
                .sends(variant.label("raise-tokens"), variant.command("""
                        {update: 'locks', updates: [
                         {query: {_id: '$job', format: '<strategy>/3', fence: {$lt: NumberLong(20)}},
                          update: {
                           $max: {fence: NumberLong(20)},
                           $inc: {<revision>: NumberLong(1)},
                           <flag>$currentDate: {releasedAt: true, forcedAt: true, renewedAt: true},
                           $unset: {owner: true, holder: true},
                           $rename: {next: 'turn'}}}]}"""))
                .receives(counted(1))
                .endsWith(1L);
    }
}
