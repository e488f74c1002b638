package org.mongolocks.spi;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.internal.DescribedStrategy;

class ListProgramsTest {
    private static final LeaseDocument DOCUMENT = LeaseDocument.withFormat("demo/1");
    private static final LeasePrograms BY_CLOCK = new LeasePrograms("demo", DOCUMENT);
    private static final LeasePrograms WITHOUT_CLOCK = LeasePrograms.withoutServerTime("demo", DOCUMENT);

    private final LockQuery query = LockQuery.all().prefix("a").limit(2);

    @Test
    void aPageIsOneFindOfOneDocumentMore() {
        assertThat(asked(BY_CLOCK.list(query)))
                .isEqualTo(new MongoOp.FindMany(
                        "demo/list",
                        LockSchema.LOCKS,
                        BsonDocument.parse("{_id: {$gte: 'a', $lt: 'b'}}"),
                        Optional.of(SnapshotReader.projection("rev")),
                        3));
    }

    @Test
    void theNextPageIsARangeToo() {
        assertThat(asked(BY_CLOCK.list(query.after("ab"))).filter())
                .isEqualTo(BsonDocument.parse("{_id: {$gte: 'a', $lt: 'b', $gt: 'ab'}}"));
    }

    @Test
    void whatIsHeldIsJudgedByTheServersClockWhereThereIsOne() {
        assertThat(asked(BY_CLOCK.list(LockQuery.all().heldOnly())).filter())
                .isEqualTo(BsonDocument.parse(
                        "{_id: {$gte: ''}, $expr: {$gt: ['$expiresAt', '$$NOW']}, owner: {$exists: true}}"));
        assertThat(asked(WITHOUT_CLOCK.list(LockQuery.all().heldOnly())))
                .isEqualTo(new MongoOp.FindMany(
                        "demo/list",
                        LockSchema.LOCKS,
                        BsonDocument.parse("{_id: {$gte: ''}, owner: {$exists: true}}"),
                        Optional.empty(),
                        101));
    }

    @Test
    void anInstanceIsTheWholeFirstPartOfTheOwner() {
        assertThat(asked(BY_CLOCK.list(LockQuery.all().instance("w-1"))).filter())
                .isEqualTo(BsonDocument.parse("{_id: {$gte: ''}, owner: {$gte: 'w-1/', $lt: 'w-10'}}"));
    }

    @Test
    void aFullPageHasANextOnlyIfSomethingFollows() {
        LockPage full = page("{_id: 'a1', format: 'demo/1'}", "{_id: 'a2', format: 'demo/1'}");
        LockPage more =
                page("{_id: 'a1', format: 'demo/1'}", "{_id: 'a2', format: 'demo/1'}", "{_id: 'a3', format: 'demo/1'}");

        assertThat(full.next()).isEmpty();
        assertThat(more.next()).contains("a2");
        assertThat(more.locks()).extracting(LockSnapshot::name).hasSize(2);
    }

    @Test
    void whatIsForeignIsNamedWhateverItsName() {
        String tooLong = "a".repeat(600);

        LockPage page = page("{_id: 'a1', format: 'other/1'}", "{_id: '" + tooLong + "', n: 1}", "{_id: 'ab'}");

        assertThat(page).isEqualTo(new LockPage(List.of(), List.of("a1", tooLong), Optional.of(tooLong)));
    }

    @Test
    void whatIsMarkedButHasAnImpossibleNameIsForeignToo() {
        String tooLong = "a".repeat(600);

        LockPage page = page("{_id: '" + tooLong + "', format: 'demo/1'}", "{_id: 'ab', format: 'demo/1'}");

        assertThat(page.foreign()).containsExactly(tooLong);
        assertThat(page.locks()).extracting(LockSnapshot::name).containsExactly(LockName.of("ab"));
    }

    @Test
    void aFaultIsTheEnd() {
        Reply.Failed failure = new Reply.Failed(Fault.REJECTED, new MongoException("no"));

        assertThat(answered(failure)).isEqualTo(Step.fail(failure));
    }

    @Test
    void aStrategyWithoutAListOfItsOwnIsReadByTheCommonFields() {
        LockStrategy described = new DescribedStrategy("demo", Set.of(), LockSchema.locksOnly());

        assertThat(asked(described.list(query))).isEqualTo(asked(BY_CLOCK.list(query)));
    }

    private LockPage page(String... documents) {
        List<BsonDocument> found =
                List.of(documents).stream().map(BsonDocument::parse).toList();
        return ((Step.Done<LockPage>) answered(new Reply.FoundMany(found))).result();
    }

    private Step<LockPage> answered(Reply reply) {
        return ((Step.Call<LockPage>) BY_CLOCK.list(query)).then().apply(reply);
    }

    private static MongoOp.FindMany asked(Step<LockPage> program) {
        return (MongoOp.FindMany) ((Step.Call<LockPage>) program).op();
    }
}
