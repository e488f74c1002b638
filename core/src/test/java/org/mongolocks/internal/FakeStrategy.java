package org.mongolocks.internal;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** A strategy with scripted outcomes, which records its calls. The last outcome of a kind repeats. */
public class FakeStrategy implements LockStrategy {
    public final List<AcquireContext> acquires = new CopyOnWriteArrayList<>();
    public final List<Lease> renewed = new CopyOnWriteArrayList<>();
    public final List<String> calls = new CopyOnWriteArrayList<>();
    public final List<Long> unregistered = new ArrayList<>();
    private final Deque<Function<AcquireContext, Step<LockOutcome>>> outcomes = new ArrayDeque<>();
    private final Deque<Supplier<Step<Boolean>>> releases = new ArrayDeque<>();
    private final Deque<Supplier<Step<Renewal>>> renewals = new ArrayDeque<>();
    private final Deque<Step<Boolean>> commonRenewals = new ArrayDeque<>();
    private final Deque<Supplier<Step<Boolean>>> commonReleases = new ArrayDeque<>();
    private final Set<LockName> blocked = new HashSet<>();
    private final Set<LockName> refused = new HashSet<>();
    private Reply.@Nullable Failed refusal;
    private Set<Trait> traits = Set.of();
    private boolean isListing;
    private Optional<Turn> shownTurn = Optional.empty();
    private Runnable whenRead = () -> {};
    private Step<Optional<LockSnapshot>> inspection = Step.done(Optional.empty());

    public static Reply.Failed failure(Fault fault) {
        return new Reply.Failed(fault, new MongoSocketReadException(fault.name(), new ServerAddress()));
    }

    /** Returns the failure of a write that waited too long. */
    public static <R> Step<R> timesOut() {
        return new Step.Fail<>(new Reply.Failed(Fault.AMBIGUOUS, new MongoOperationTimeoutException("no answer")));
    }

    public static <R> Step<R> fails(Fault fault) {
        return new Step.Fail<>(failure(fault));
    }

    /** Drops the outcomes of acquire attempts. */
    public FakeStrategy forget() {
        outcomes.clear();
        return this;
    }

    public FakeStrategy grants(long token) {
        return answers(context -> Step.done(context.acquired(token)));
    }

    public FakeStrategy contends(LockSnapshot holder) {
        return answers(context -> Step.done(new LockOutcome.Contended(holder)));
    }

    /** Shows the turn of the waiter, which is in the list from now on. */
    public FakeStrategy contends(LockSnapshot seen, Turn turn) {
        return answers(context -> Step.done(new LockOutcome.Contended(seen, Optional.of(turn))));
    }

    public FakeStrategy failsToAcquire(Fault fault) {
        return answers(context -> fails(fault));
    }

    public FakeStrategy answers(Function<AcquireContext, Step<LockOutcome>> answer) {
        outcomes.add(answer);
        return this;
    }

    public FakeStrategy releases(Step<Boolean> answer) {
        return answersReleases(() -> answer);
    }

    public FakeStrategy answersReleases(Supplier<Step<Boolean>> answer) {
        releases.add(answer);
        return this;
    }

    public FakeStrategy renews(Step<Renewal> answer) {
        return renewsBy(() -> answer);
    }

    public FakeStrategy renewsBy(Supplier<Step<Renewal>> answer) {
        renewals.add(answer);
        return this;
    }

    /** Lets each renewal of this lock time out, and each command of which it is a part. */
    public FakeStrategy blocks(LockName name) {
        blocked.add(name);
        return this;
    }

    /** Common renewals fail for these locks, and renew the others. */
    public FakeStrategy failsToRenewInPart(List<LockName> names, MongoException cause) {
        refused.addAll(names);
        refusal = new Reply.Failed(Fault.AMBIGUOUS, cause);
        return this;
    }

    public FakeStrategy renewsTogether(Step<Boolean> answer) {
        commonRenewals.add(answer);
        return this;
    }

    public FakeStrategy releasesTogether(Step<Boolean> answer) {
        return answersCommonReleases(() -> answer);
    }

    public FakeStrategy answersCommonReleases(Supplier<Step<Boolean>> answer) {
        commonReleases.add(answer);
        return this;
    }

    public FakeStrategy shows(LockSnapshot snapshot) {
        inspection = Step.done(Optional.of(snapshot));
        return this;
    }

    public FakeStrategy shows(LockSnapshot snapshot, Turn turn) {
        shownTurn = Optional.of(turn);
        return shows(snapshot);
    }

    public FakeStrategy fenced() {
        traits = Set.of(Trait.STRICT_FENCING);
        return this;
    }

    public FakeStrategy showsNothing() {
        inspection = Step.done(Optional.empty());
        return this;
    }

    /** Lets something happen when a lock is read next, before the reply. */
    public FakeStrategy whenRead(Runnable action) {
        whenRead = action;
        return this;
    }

    public FakeStrategy showsNothing(Fault fault) {
        inspection = fails(fault);
        return this;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Optional<String> format() {
        return Optional.empty();
    }

    @Override
    public Set<Trait> traits() {
        return traits;
    }

    @Override
    public LockSchema schema() {
        return LockSchema.locksOnly();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        acquires.add(context);
        calls.add("acquire");
        return next(outcomes).apply(context);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        calls.add("renew");
        renewed.add(lease);
        return blocked.contains(lease.name()) ? timesOut() : next(renewals).get();
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        if (commonRenewals.isEmpty()) {
            return Optional.empty();
        }
        calls.add("renew " + leases.size());
        if (leases.stream().map(Lease::name).anyMatch(refused::contains)) {
            return Optional.of(Step.fail(Objects.requireNonNull(refusal)));
        }
        boolean isBlocked = leases.stream().map(Lease::name).anyMatch(blocked::contains);
        return Optional.of(isBlocked ? timesOut() : next(commonRenewals));
    }

    @Override
    public Optional<List<Lease>> notRenewed(List<Lease> leases, Reply.Failed failure) {
        return Optional.of(failure)
                .filter(failed -> failed.equals(refusal))
                .map(failed -> leases.stream()
                        .filter(lease -> refused.contains(lease.name()))
                        .toList());
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        calls.add("release " + name + " " + owner.grant() + " " + fencingToken);
        return next(releases).get();
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        calls.add("release " + lease.name() + " after " + lease.ttl());
        return next(releases).get();
    }

    @Override
    public Optional<Step<Boolean>> releaseAll(List<Lease> leases) {
        if (commonReleases.isEmpty()) {
            return Optional.empty();
        }
        calls.add("release " + leases.size());
        return Optional.of(next(commonReleases).get());
    }

    /** Keeps lists of waiters; must be called before a client is built with this strategy. */
    public FakeStrategy listing() {
        isListing = true;
        return this;
    }

    @Override
    public Optional<String> waitingList() {
        return isListing ? Optional.of("rev") : Optional.empty();
    }

    @Override
    public Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
        return inspect(name).andThen(seen -> Step.done(seen.map(lock -> new LockOutcome.Contended(lock, shownTurn))));
    }

    @Override
    public Step<Boolean> unregister(LockName name, long number) {
        calls.add("unregister");
        unregistered.add(number);
        return Step.done(true);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        calls.add("inspect");
        Runnable action = whenRead;
        whenRead = () -> {};
        action.run();
        return inspection;
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        calls.add("force-release");
        return Step.done(true);
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        throw new AssertionError("not run");
    }

    private static <T> T next(Deque<T> answers) {
        return answers.size() > 1 ? answers.remove() : answers.element();
    }
}
