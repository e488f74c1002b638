package org.mongolocks.contract.broken;

import static org.mongolocks.contract.broken.Mistake.configuring;
import static org.mongolocks.contract.broken.Mistake.locks;
import static org.mongolocks.contract.broken.Mistake.strategy;
import static org.mongolocks.contract.broken.Mutation.ofFilter;
import static org.mongolocks.contract.broken.Mutation.ofUpdate;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.SchemaMode;
import org.mongolocks.contract.broken.Mistake.Row;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Mistakes in what is stored, shown, listed or created. */
final class OperatorMistakes {
    static final List<Row> TABLE = List.of(
            Row.of(
                    "acquires the lock whatever the format of the document",
                    Mutation.of(
                            "/acquire-or-extend", StoredMistakes::withoutMark, StoredMistakes::acquiringWithoutMark),
                    "aForeignDocumentIsRefusedAndLeftAlone",
                    "documentsOfAnotherAreRefusedByTheFirstAttempt"),
            Row.of(
                    "renews the lock whatever the format of the document",
                    ofFilter("/renew", StoredMistakes::withoutMark),
                    "lockWithAForeignDocumentIsLost"),
            Row.of(
                    "reports a document of another format as contention",
                    strategy(strategy -> new ForwardingStrategy(strategy) {
                        @Override
                        public Step<LockOutcome> acquire(AcquireContext context) {
                            LockOutcome held = new LockOutcome.Contended(LockSnapshot.unused(context.name()));
                            return super.acquire(context)
                                    .then(
                                            Step::done,
                                            failure -> failure.failedWith(Fault.FOREIGN_FORMAT)
                                                    ? Step.done(held)
                                                    : Step.fail(failure));
                        }
                    }),
                    "aForeignDocumentIsRefusedAndLeftAlone",
                    "documentsOfAnotherAreRefusedByTheFirstAttempt"),
            Row.of(
                    "leaves the holder in a released lock",
                    ofUpdate("/release", StoredMistakes::leavingTheHolder),
                    "heldLockShowsItsHolderInfo"),
            Row.of(
                    "lets the server evaluate the holder's strings",
                    ofUpdate("/acquire-or-extend", StoredMistakes::evaluatingTheHolder),
                    "holderInfoIsData"),
            Row.of(
                    "replaces the holder information only if the next holder gives some",
                    ofUpdate("/acquire-or-extend", StoredMistakes::keepingTheHolder),
                    "holderInfoOfAnEarlierHolderIsNotShown"),
            Row.of(
                    "treats the prefix of a list as a pattern",
                    ofFilter("/list", StoredMistakes::matchingPatterns),
                    "aPrefixIsText"),
            Row.of(
                    "lists leases that have ended",
                    ofFilter("/list", StoredMistakes::withoutExpressions),
                    "anEndedLeaseIsNotListedAsHeld"),
            Row.of(
                    "sends no holder information",
                    configuring(builder -> builder.holderInfo(HolderInfo::none)),
                    "heldLockShowsItsHolderInfo"),
            Row.of(
                    "creates the schema in every mode",
                    configuring(builder -> builder.schema(SchemaMode.CREATE)),
                    "missingSchemaIsReportedAndNotCreated",
                    "schemaModeNoneCreatesNothing"),
            Row.of(
                    "checks collections other than those that it locks in",
                    configuring(builder -> builder.collection("elsewhere-" + UUID.randomUUID())),
                    "anIndexThatBreaksLocksIsRefused",
                    "aCollectionThatBreaksLocksIsRefused"),
            Row.of(
                    "checks nothing",
                    configuring(builder -> builder.schema(SchemaMode.NONE)),
                    "missingSchemaIsReportedAndNotCreated"),
            Row.of(
                    "hides foreign documents",
                    listing(query -> query, page -> new LockPage(page.locks(), List.of(), page.next())),
                    "aListNamesForeignDocuments"),
            Row.of(
                    "repeats pages",
                    asking(query -> query(query, query.isHeldOnly(), query.instance(), Optional.empty())),
                    "aListGoesThroughAllLocksOnce"),
            Row.of(
                    "ends after a page",
                    listing(query -> query, page -> new LockPage(page.locks(), page.foreign(), Optional.empty())),
                    "aListGoesThroughAllLocksOnce"),
            Row.of(
                    "shows released locks",
                    asking(query -> query(query, false, query.instance(), query.after())),
                    "listContainsOnlyTheRequestedLocks"),
            Row.of(
                    "shows locks of others",
                    asking(query -> query(query, query.isHeldOnly(), Optional.empty(), query.after())),
                    "listContainsOnlyTheRequestedLocks"));

    private OperatorMistakes() {}

    private static LockQuery query(
            LockQuery asked, boolean isHeldOnly, Optional<String> instance, Optional<String> after) {
        LockQuery plain = LockQuery.all().prefix(asked.prefix()).limit(asked.limit());
        LockQuery held = isHeldOnly ? plain.heldOnly() : plain;
        LockQuery own = instance.map(held::instance).orElse(held);
        return after.map(own::after).orElse(own);
    }

    private static Mistake asking(UnaryOperator<LockQuery> wrong) {
        return listing(wrong, page -> page);
    }

    private static Mistake listing(UnaryOperator<LockQuery> asked, UnaryOperator<LockPage> listed) {
        return locks(locks -> new ForwardingLocks(locks) {
            @Override
            public LockPage list(LockQuery query) throws InterruptedException {
                return listed.apply(super.list(asked.apply(query)));
            }
        });
    }
}
