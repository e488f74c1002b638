package org.mongolocks.internal;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
import org.mongolocks.spi.Step;

/** A strategy with a description and no programs. */
public record DescribedStrategy(String name, Set<Trait> traits, LockSchema schema) implements LockStrategy {
    @Override
    public Optional<String> format() {
        return Optional.empty();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Boolean> release(LockName lockName, Owner owner, OptionalLong fencingToken) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lockName) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        throw new AssertionError("not run");
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        throw new AssertionError("not run");
    }
}
