package org.mongolocks.benchmarks.run;

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

/** A strategy with a name and traits only. Its operations throw. */
public class StubStrategy implements LockStrategy {
    private final String name;
    private final Set<Trait> traits;

    public StubStrategy(String name, Set<Trait> traits) {
        this.name = name;
        this.traits = traits;
    }

    @Override
    public String name() {
        return name;
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
        throw new UnsupportedOperationException("acquire");
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        throw new UnsupportedOperationException("renew");
    }

    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        throw new UnsupportedOperationException("release");
    }

    @Override
    public Step<Boolean> releaseAfter(Lease lease) {
        throw new UnsupportedOperationException("releaseAfter");
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lock) {
        throw new UnsupportedOperationException("inspect");
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        throw new UnsupportedOperationException("forceRelease");
    }

    @Override
    public Step<LockPage> list(LockQuery query) {
        throw new UnsupportedOperationException("list");
    }

    @Override
    public Step<Long> raiseTokens(LockQuery query, long floor) {
        throw new UnsupportedOperationException("raiseTokens");
    }
}
