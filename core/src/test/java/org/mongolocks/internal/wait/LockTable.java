package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** A strategy that stores its locks in a map, without an end of their leases, and with injected faults. */
public final class LockTable implements LockStrategy {
    public final Map<String, String> holders = new TreeMap<>();
    public final List<String> calls = new ArrayList<>();
    private final Map<String, Fault> faults = new HashMap<>();
    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private Duration leaseLeft = Duration.ofSeconds(8);
    private Duration latency = Duration.ZERO;
    private boolean isListing;
    private long tokens;

    /** Shows each waiter as the first in the list of its lock, and leases that last so long. */
    public LockTable listing(Duration left) {
        isListing = true;
        leaseLeft = left;
        return this;
    }

    /** Replies so much later to each call from now on. */
    public void replyAfter(Duration delay) {
        latency = delay;
    }

    public LockTable inOneStep() {
        traits.add(Trait.MULTI_LOCK);
        return this;
    }

    public LockTable heldByAnother(String... names) {
        for (String name : names) {
            holders.put(name, "other");
        }
        return this;
    }

    public void freed(String name) {
        holders.remove(name);
    }

    /** Makes every call of a kind fail, for example {@code release a}, until it is healed. */
    public void fails(String call, Fault fault) {
        faults.put(call, fault);
    }

    public void heals() {
        faults.clear();
    }

    @Override
    public String name() {
        return "table";
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
    public Optional<String> waitingList() {
        return isListing ? Optional.of("rev") : Optional.empty();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return called("acquire " + context.name(), () -> granted(context));
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return traits.contains(Trait.MULTI_LOCK)
                ? Optional.of(called("acquire all", () -> grantedAll(contexts)))
                : Optional.empty();
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return called(
                "renew " + lease.name(),
                () -> isHeldBy(lease.name(), lease.owner())
                        ? new Renewal.Renewed()
                        : new Renewal.Lost(LossReason.TAKEN_OVER));
    }

    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.of(called(
                "renew all " + leases.size(),
                () -> leases.stream().allMatch(lease -> isHeldBy(lease.name(), lease.owner()))));
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return called("release " + name, () -> holders.remove(name.value(), owner.stored()));
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return Step.done(Optional.of(snapshot(name)));
    }

    @Override
    public Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
        return called(
                "read " + name,
                () -> holders.containsKey(name.value()) ? Optional.of(contended(name)) : Optional.empty());
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        throw new UnsupportedOperationException();
    }

    private LockOutcome granted(AcquireContext context) {
        String holder = holders.computeIfAbsent(
                context.name().value(), name -> context.owner().stored());
        return holder.equals(context.owner().stored()) ? context.acquired(++tokens) : contended(context.name());
    }

    private LockOutcome.Contended contended(LockName name) {
        Optional<Turn> turn = isListing ? Optional.of(Turn.ofHeld(0, leaseLeft)) : Optional.empty();
        return new LockOutcome.Contended(snapshot(name), turn);
    }

    private MultiLockOutcome grantedAll(List<AcquireContext> contexts) {
        for (AcquireContext context : contexts) {
            if (holders.containsKey(context.name().value()) && !isHeldBy(context.name(), context.owner())) {
                return new MultiLockOutcome.Contended(snapshot(context.name()));
            }
        }
        return new MultiLockOutcome.Acquired(contexts.stream()
                .map(context -> ((LockOutcome.Acquired) granted(context)).lease())
                .toList());
    }

    private boolean isHeldBy(LockName name, Owner owner) {
        return owner.stored().equals(holders.get(name.value()));
    }

    private LockSnapshot snapshot(LockName name) {
        return LockSnapshot.of(name, Optional.ofNullable(holders.get(name.value())), 1, 1)
                .lease(Lab.TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(leaseLeft));
    }

    /** An ambiguous fault comes after the change, any other instead of it. */
    private <R> Step<R> called(String call, Supplier<R> change) {
        calls.add(call);
        Fault fault = faults.get(call);
        if (fault != null && fault != Fault.AMBIGUOUS) {
            return FakeStrategy.fails(fault);
        }
        R done = change.get();
        Step<R> reply = fault == null ? Step.done(done) : FakeStrategy.fails(fault);
        return latency.isZero() ? reply : new Step.Pause<>(latency, () -> reply);
    }
}
