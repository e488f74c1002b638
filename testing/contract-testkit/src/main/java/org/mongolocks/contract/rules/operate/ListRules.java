package org.mongolocks.contract.rules.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.spi.LockStrategy.Trait;

/** Rules OP on lists: operators list locks, and force-release what the list shows. */
public interface ListRules extends FeatureContext {
    /**
     * OP-8. A list returns all locks once, in the order of their names, page by page.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * OP-9. The prefix of a list is plain text without special characters.
     *
     * @throws Exception if the rule cannot be checked
     */
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
     *
     * @throws Exception if the rule cannot be checked
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

    /**
     * OP-11. A lease that has ended by the server's clock is not listed as held, even if it was not released.
     *
     * @throws Exception if the rule cannot be checked
     */
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
     *
     * @throws Exception if the rule cannot be checked
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
        return new LockSnapshot(
                lock.name(),
                lock.holder(),
                lock.fencingToken(),
                lock.revision(),
                lock.acquiredAt(),
                lock.expiresAt(),
                lock.ttl(),
                as.remaining(),
                lock.holderInfo(),
                lock.leaseId(),
                lock.waiters());
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
