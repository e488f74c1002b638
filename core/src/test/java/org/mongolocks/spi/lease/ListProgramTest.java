package org.mongolocks.spi.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class ListProgramTest {
    private static final LeaseDocument DOCUMENT = LeaseDocument.withFormat("demo/1");

    private final LockQuery query = LockQuery.all().prefix("a").limit(2);

    @Test
    void pageIsOneFindWithOneDocumentMore() {
        assertThat(sent(list(query)))
                .isEqualTo(new MongoOp.FindMany(
                        "demo/list",
                        LockSchema.LOCKS,
                        BsonDocument.parse("{_id: {$gte: 'a', $lt: 'b'}}"),
                        Optional.of(LeaseDocument.withFormat("demo/1").projection()),
                        3));
    }

    @Test
    void nextPageIsRangeAfterLastName() {
        assertThat(sent(list(query.after("ab"))).filter())
                .isEqualTo(BsonDocument.parse("{_id: {$gte: 'a', $lt: 'b', $gt: 'ab'}}"));
    }

    @Test
    void heldOnlyComparesWithServerTimeIfItIsRead() {
        assertThat(sent(list(LockQuery.all().heldOnly())).filter())
                .isEqualTo(
                        BsonDocument.parse(
                                "{_id: {$gte: ''}, $expr: {$cond: [{$and: [{$eq: [{$type: '$renewedAt'}, 'date']}, {$in: [{$type: '$leaseMs'}, ['int', 'long', 'double']]}]}, {$gt: [{$add: ['$renewedAt', '$leaseMs']}, '$$NOW']}, false]}, owner: {$exists: true}}"));
        assertThat(sent(listWithoutServerTime(LockQuery.all().heldOnly())))
                .isEqualTo(new MongoOp.FindMany(
                        "demo/list",
                        LockSchema.LOCKS,
                        BsonDocument.parse("{_id: {$gte: ''}, owner: {$exists: true}}"),
                        Optional.empty(),
                        101));
    }

    @Test
    void instanceIsTheWholeFirstPartOfTheOwner() {
        assertThat(sent(list(LockQuery.all().instance("w-1"))).filter())
                .isEqualTo(BsonDocument.parse("{_id: {$gte: ''}, owner: {$gte: 'w-1/', $lt: 'w-10'}}"));
    }

    @Test
    void fullPageHasNextOnlyIfMoreFollow() {
        LockPage full = page("{_id: 'a1', format: 'demo/1'}", "{_id: 'a2', format: 'demo/1'}");
        LockPage more =
                page("{_id: 'a1', format: 'demo/1'}", "{_id: 'a2', format: 'demo/1'}", "{_id: 'a3', format: 'demo/1'}");

        assertThat(full.next()).isEmpty();
        assertThat(more.next()).contains("a2");
        assertThat(more.locks()).extracting(LockSnapshot::name).hasSize(2);
    }

    @Test
    void foreignDocumentsAreListedByName() {
        String tooLong = "a".repeat(600);

        LockPage page = page("{_id: 'a1', format: 'other/1'}", "{_id: '" + tooLong + "', n: 1}", "{_id: 'ab'}");

        assertThat(page).isEqualTo(new LockPage(List.of(), List.of("a1", tooLong), Optional.of(tooLong)));
    }

    @Test
    void markedDocumentWithInvalidNameIsForeign() {
        String tooLong = "a".repeat(600);

        LockPage page = page("{_id: '" + tooLong + "', format: 'demo/1'}", "{_id: 'ab', format: 'demo/1'}");

        assertThat(page.foreign()).containsExactly(tooLong);
        assertThat(page.locks()).extracting(LockSnapshot::name).containsExactly(LockName.of("ab"));
    }

    @Test
    void faultEndsProgram() {
        Reply.Failed failure = new Reply.Failed(Fault.REJECTED, new MongoException("no"));

        assertThat(afterReply(failure)).isEqualTo(Step.fail(failure));
    }

    private static Step<LockPage> list(LockQuery query) {
        return new ListProgram("demo/list", DOCUMENT, Optional.of(DOCUMENT.projection()), query).start();
    }

    private static Step<LockPage> listWithoutServerTime(LockQuery query) {
        return new ListProgram("demo/list", DOCUMENT, Optional.empty(), query).start();
    }

    private LockPage page(String... documents) {
        List<BsonDocument> found =
                List.of(documents).stream().map(BsonDocument::parse).toList();
        return ((Step.Done<LockPage>) afterReply(new Reply.FoundMany(found))).result();
    }

    private Step<LockPage> afterReply(Reply reply) {
        return ((Step.Call<LockPage>) list(query)).then().apply(reply);
    }

    private static MongoOp.FindMany sent(Step<LockPage> program) {
        return (MongoOp.FindMany) ((Step.Call<LockPage>) program).op();
    }
}
