package org.mongolocks.protocol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** A correct strategy except for its acquisition of several locks in one step, which a test supplies. */
record SetSketch(Set<Trait> traits, Function<List<AcquireContext>, Step<MultiLockOutcome>> sketched)
        implements LockStrategy {
    private static final Sketch SOUND = Sketch.sound();

    static SetSketch acquiring(Function<List<AcquireContext>, Step<MultiLockOutcome>> acquireAll) {
        return new SetSketch(Set.of(Trait.SERVER_CLOCK, Trait.MULTI_LOCK), acquireAll);
    }

    @Override
    public String name() {
        return SOUND.name();
    }

    @Override
    public LockSchema schema() {
        return SOUND.schema();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return SOUND.acquire(context);
    }

    @Override
    public Optional<Step<MultiLockOutcome>> acquireAll(List<AcquireContext> contexts) {
        return Optional.of(sketched.apply(contexts));
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return SOUND.renew(lease);
    }

    @Override
    public Step<Boolean> release(LockName lock, Owner owner, OptionalLong fencingToken) {
        return SOUND.release(lock, owner, fencingToken);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName lock) {
        return SOUND.inspect(lock);
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return SOUND.forceRelease(seen);
    }
}
