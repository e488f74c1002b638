package org.mongolocks.study.matrix;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Step;
import org.mongolocks.study.exhaustive.Twin;
import org.mongolocks.study.exhaustive.Twin.Slip;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Techniques;

/** A strategy with a mistake, for the simulation. */
final class TwinStrategy extends ForwardingStrategy {
    private static final String STRATEGY = "findandmodify-counter";

    private final Twin twin;
    private final InstantSource clock;

    private TwinStrategy(Twin twin, InstantSource clock) {
        super(LockStrategies.named(twin.strategy()));
        this.twin = twin;
        this.clock = clock;
    }

    /** Returns the technique that has a mistake. */
    static Technique withMistake(String mistake) {
        Twin twin = Stream.concat(Twin.all().stream(), Twin.ofTheSimulation().stream())
                .filter(each -> each.strategy().equals(STRATEGY) && each.name().equals(mistake))
                .findFirst()
                .orElseThrow();
        return new Technique(
                "broken-" + STRATEGY,
                clock -> new TwinStrategy(twin, clock),
                Techniques.shipped().get(0).config());
    }

    @Override
    public String name() {
        return "broken-" + super.name();
    }

    @Override
    public Optional<String> format() {
        return Optional.empty();
    }

    /** Renews each lock by a command of its own, to which mistakes apply. */
    @Override
    public Optional<Step<Boolean>> renewAll(List<Lease> leases) {
        return Optional.empty();
    }

    @Override
    public Step<Boolean> release(LockName name, Owner owner, OptionalLong fencingToken) {
        boolean isLeftOut = fencingToken.isEmpty() && twin.slips().contains(Slip.COMPENSATES_NOTHING);
        return isLeftOut ? Step.done(false) : super.release(name, owner, fencingToken);
    }

    @Override
    protected MongoOp change(MongoOp op) {
        return twin.change(op, clock.millis());
    }
}
