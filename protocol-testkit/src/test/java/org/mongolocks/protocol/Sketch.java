package org.mongolocks.protocol;

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
import org.mongolocks.spi.AcquirePrograms;
import org.mongolocks.spi.LeaseDocument;
import org.mongolocks.spi.LeasePrograms;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** A correct strategy except for its acquire, which a test supplies. */
record Sketch(Set<Trait> traits, Function<AcquireContext, Step<LockOutcome>> sketched) implements LockStrategy {
    static final AcquirePrograms ACQUIRING = new AcquirePrograms("sketch", LeaseDocument.withFormat("sketch/1"));

    private static final LeasePrograms HOLDING = new LeasePrograms("sketch", LeaseDocument.withFormat("sketch/1"));

    static Sketch acquiring(Function<AcquireContext, Step<LockOutcome>> acquire) {
        return new Sketch(Set.of(Trait.SERVER_CLOCK), acquire);
    }

    static Sketch sound() {
        return acquiring(context -> Step.call(take(context), reply -> ACQUIRING.answer(context, reply)));
    }

    static MongoOp take(AcquireContext context) {
        LeaseDocument document = LeaseDocument.withFormat("sketch/1");
        return new MongoOp.FindOneAndUpdate(
                "sketch/take",
                LockSchema.LOCKS,
                document.filterFor(context.name()),
                document.acquireOrExtend(context, document.nextToken()),
                true);
    }

    @Override
    public String name() {
        return "sketch";
    }

    @Override
    public Optional<String> format() {
        return Optional.of("sketch/1");
    }

    @Override
    public LockSchema schema() {
        return LockSchema.locksOnly();
    }

    @Override
    public Step<LockOutcome> acquire(AcquireContext context) {
        return sketched.apply(context);
    }

    @Override
    public Step<Renewal> renew(Lease lease) {
        return HOLDING.renew(lease);
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        return HOLDING.release(name, owner, fencingToken);
    }

    @Override
    public Step<Optional<LockSnapshot>> inspect(LockName name) {
        return HOLDING.inspect(name);
    }

    @Override
    public Step<Boolean> forceRelease(LockSnapshot seen) {
        return HOLDING.forceRelease(seen);
    }
}
