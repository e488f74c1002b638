package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.RawCollection;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Rules IN, inspection, and OP on holders and lists: operators see who holds a lock, list locks, and can force-release
 * what they saw if it has not changed since.
 */
public interface InspectionRules extends ContractContext {
    /** IN-1. A held lock shows its holder and its token. */
    @Test
    @ContractRule("IN-1")
    default void aHeldLockShowsItsHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        assertThat(locks.inspect(name)).isEmpty();

        BlockingLock held = acquire(locks, name);

        LockSnapshot seen = locks.inspect(name).orElseThrow();
        assertThat(seen.name()).isEqualTo(name);
        assertThat(seen.holder()).contains(held.lease().owner().stored());
        assertThat(seen.fencingToken()).isEqualTo(held.fencingToken());
        assertThat(seen.ttl()).isEqualTo(ttl());
        assertThat(seen.isHeld()).isTrue();
    }

    /**
     * IN-2. A force-release ends exactly the grant in the snapshot, and the former holder learns why it lost the lock.
     */
    @Test
    @ContractRule("IN-2")
    default void aForcedReleaseFreesTheLockAndTheHolderLearnsOfIt() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);

        assertThat(operator.forceRelease(operator.inspect(name).orElseThrow())).isTrue();

        assertThat(held.renew()).isFalse();
        assertThat(held.loss()).contains(LossReason.FORCED);
        assertThat(operator.tryAcquire(name, ttl())).isPresent();
    }

    /** IN-3. A force-release does nothing if the lock has changed since the snapshot, also by a renewal. */
    @Test
    @ContractRule("IN-3")
    default void aForcedReleaseDoesNothingAfterAChange() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        LockSnapshot seen = operator.inspect(name).orElseThrow();
        held.renew();

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(held.renew()).isTrue();
    }

    /** IN-4. A force-release does not affect a new holder of the lock. */
    @Test
    @ContractRule("IN-4")
    default void aForcedReleaseDoesNotHitTheNextHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock first = acquire(newLocks(), name);
        LockSnapshot seen = operator.inspect(name).orElseThrow();
        first.release();
        BlockingLock second = acquire(newLocks(), name);

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(second.renew()).isTrue();
    }

    /**
     * IN-5. A force-release requires the holder in the snapshot, or none if it showed none: after an election the next
     * grant may have the same token and revision.
     */
    @Test
    @ContractRule("IN-5")
    default void aForcedReleaseNeedsTheHolderThatWasSeen() throws Exception {
        String collection = freshCollection();
        LockName name = freshName();
        BlockingLocks operator = newLocks(builder -> builder.collection(collection));
        acquire(operator, name);

        LockSnapshot held = operator.inspect(name).orElseThrow();
        assertSparesAnotherHolder(operator, held, stored(collection));

        assertThat(operator.forceRelease(operator.inspect(name).orElseThrow())).isTrue();
        LockSnapshot free = operator.inspect(name).orElseThrow();
        assertSparesAnotherHolder(operator, free, stored(collection));
    }

    private static void assertSparesAnotherHolder(BlockingLocks operator, LockSnapshot seen, RawCollection documents)
            throws InterruptedException {
        BsonDocument next = documents.giveTo(seen.name(), "next/00000000-0000-0000-0000-000000000001");

        assertThat(operator.forceRelease(seen)).isFalse();

        assertThat(documents.find(seen.name())).contains(next);
    }

    /**
     * OP-5. A held lock shows host, process, thread and note of its holder; a released lock shows nothing of its former
     * holder.
     */
    @Test
    @ContractRule("OP-5")
    default void heldLockShowsItsHolderInfo() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        HolderInfo asking = HolderInfo.ofThisThread();

        BlockingLock held = locks.tryAcquire(
                        LockRequest.of(name, ttl()).fixedLease().note("nightly run"))
                .orElseThrow();

        HolderInfo seen = locks.inspect(name).orElseThrow().holderInfo();
        assertThat(seen).isEqualTo(asking.withNote(Optional.of("nightly run")));
        held.release();
        assertThat(locks.inspect(name).map(LockSnapshot::holderInfo).orElse(HolderInfo.none()))
                .isEqualTo(HolderInfo.none());
    }

    /** OP-6. Holder information is data: it is stored and shown as given and never evaluated. */
    @Test
    @ContractRule("OP-6")
    default void holderInfoIsData() throws Exception {
        LockName name = freshName();
        HolderInfo info = HolderInfo.ofStored(BsonDocument.parse("{host: '$fence', thread: '$$NOW'}"));
        BlockingLocks locks = newLocks(builder -> builder.holderInfo(() -> info));

        locks.tryAcquire(LockRequest.of(name, ttl()).fixedLease().note("{$toString: '$fence'}"));

        assertThat(locks.inspect(name).orElseThrow().holderInfo())
                .isEqualTo(info.withNote(Optional.of("{$toString: '$fence'}")));
    }

    /** OP-7. If the next holder gives no information, nothing of the previous holder is shown. */
    @Test
    @ContractRule("OP-7")
    default void holderInfoOfAnEarlierHolderIsNotShown() throws Exception {
        LockName name = freshName();
        BlockingLocks silent = newLocks(builder -> builder.holderInfo(HolderInfo::none));
        acquire(newLocks(), name);

        takeOver(silent, name);

        assertThat(silent.inspect(name).orElseThrow().holderInfo()).isEqualTo(HolderInfo.none());
    }

    /** OP-8. A list returns all locks once, in the order of their names, page by page. */
    @Test
    @ContractRule("OP-8")
    default void aListGoesThroughAllLocksOnce() throws Exception {
        BlockingLocks locks = newLocks();
        String prefix = freshName().value() + "/";
        List<String> names =
                Stream.of("a", "b", "b-1", "c", "\u00e9").map(prefix::concat).toList();
        for (String name :
                names.stream().sorted((one, other) -> other.compareTo(one)).toList()) {
            acquire(locks, LockName.of(name));
        }

        List<LockPage> pages = pages(locks, LockQuery.all().prefix(prefix).limit(2));

        assertThat(pages).extracting(page -> page.locks().size()).containsExactly(2, 2, 1);
        assertThat(namesIn(pages)).containsExactlyElementsOf(names);
    }

    /** OP-9. The prefix of a list is plain text without special characters. */
    @Test
    @ContractRule("OP-9")
    default void aPrefixIsText() throws Exception {
        BlockingLocks locks = newLocks();
        String prefix = freshName().value();
        for (String end : List.of(".*", ".*$", "x", "-", "/")) {
            acquire(locks, LockName.of(prefix + end));
        }

        assertThat(namesIn(pages(locks, LockQuery.all().prefix(prefix + ".*"))))
                .containsExactly(prefix + ".*", prefix + ".*$");
        assertThat(namesIn(pages(locks, LockQuery.all().prefix(prefix + "$")))).isEmpty();
    }

    /**
     * OP-10. A list of held locks contains no released locks and, if it is for one instance, no locks of other
     * instances.
     */
    @Test
    @ContractRule("OP-10")
    default void listContainsOnlyTheRequestedLocks() throws Exception {
        String prefix = freshName().value();
        BlockingLocks locks = newLocks(builder -> builder.instance("worker-1"));
        BlockingLocks others = newLocks(builder -> builder.instance("worker-10"));
        acquire(locks, LockName.of(prefix + "1"));
        acquire(others, LockName.of(prefix + "2"));
        acquire(locks, LockName.of(prefix + "3")).release();
        LockQuery held = LockQuery.all().prefix(prefix).heldOnly();

        assertThat(namesIn(pages(locks, held))).containsExactly(prefix + "1", prefix + "2");
        assertThat(namesIn(pages(locks, held.instance("worker-1")))).containsExactly(prefix + "1");
        assertThat(namesIn(pages(locks, LockQuery.all().prefix(prefix).instance("worker-10"))))
                .containsExactly(prefix + "2");
    }

    /** OP-11. A lease that has ended by the server's clock is not listed as held, even if it was not released. */
    @Test
    @ContractRule("OP-11")
    default void anEndedLeaseIsNotListedAsHeld() throws Exception {
        assumeTrue(
                strategy().traits().contains(Trait.SERVER_CLOCK),
                "Without the server's clock the end of a lease is unknown");
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        acquire(locks, name);
        LockQuery query = LockQuery.all().prefix(name.value());
        assertThat(locks.list(query.heldOnly()).locks()).hasSize(1);

        server().elapse(ttl().plus(Duration.ofMillis(50)));

        assertThat(locks.list(query.heldOnly()).locks()).isEmpty();
        assertThat(locks.list(query).locks()).hasSize(1).noneMatch(LockSnapshot::isHeld);
    }

    /**
     * OP-12. A listed lock can be force-released unless it has changed since; the holder learns why, and the next token
     * is larger.
     */
    @Test
    @ContractRule("OP-12")
    default void listedLockCanBeForceReleased() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        LockSnapshot early = listed(operator, name);
        held.renew();
        LockSnapshot late = listed(operator, name);

        assertThat(operator.forceRelease(early)).isFalse();
        assertThat(late)
                .isEqualTo(operator.inspect(name)
                        .map(inspected -> sameTime(inspected, late))
                        .orElseThrow());
        assertThat(operator.forceRelease(late)).isTrue();

        assertThat(held.renew()).isFalse();
        assertThat(held.loss()).contains(LossReason.FORCED);
        assertThat(acquire(operator, name).fencingToken()).isGreaterThan(held.fencingToken() + 1);
    }

    private static LockSnapshot listed(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.list(LockQuery.all().prefix(name.value())).locks().get(0);
    }

    /** Replaces the remaining time, which differs between two reads. */
    private static LockSnapshot sameTime(LockSnapshot lock, LockSnapshot as) {
        return lock.remaining(as.remaining());
    }

    private static List<String> namesIn(List<LockPage> pages) {
        return pages.stream()
                .flatMap(page -> page.locks().stream())
                .map(lock -> lock.name().value())
                .toList();
    }

    private static List<LockPage> pages(BlockingLocks locks, LockQuery query) throws InterruptedException {
        List<LockPage> pages = new ArrayList<>();
        LockPage page = locks.list(query);
        pages.add(page);
        Optional<String> next = page.next();
        while (next.isPresent() && pages.size() < 10) {
            LockPage following = locks.list(query.after(next.get()));
            pages.add(following);
            next = following.next();
        }
        return pages;
    }
}
