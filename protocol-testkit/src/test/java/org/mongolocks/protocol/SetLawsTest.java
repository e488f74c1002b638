package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.MultiLockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.spi.Trait;

/** Tests that the laws detect strategies that acquire several locks in one step incorrectly. */
class SetLawsTest {
    @Test
    void aSetOfWhichOneGrantWasNotConfirmedIsFound() {
        SetSketch sketch = SetSketch.acquiring(contexts -> Sketch.sound()
                .acquire(contexts.get(0))
                .andThen(outcome -> Step.done(outcome instanceof LockOutcome.Acquired first ? both(first) : other())));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "ends with Acquired");
    }

    @Test
    void aSetWhoseLastReplyWasLostIsFound() {
        SetSketch sketch = SetSketch.acquiring(contexts -> Step.call(
                Sketch.take(contexts.get(0)),
                first -> Step.call(
                        Sketch.take(contexts.get(1)),
                        second ->
                                second instanceof Reply.Failed ? Step.done(acquired(contexts)) : Step.done(other()))));

        assertBroken(ProtocolLaws::aGrantIsConfirmedByTheOwnerInAWrittenDocument, sketch, "ends with Acquired");
    }

    @Test
    void whoClaimsToAcquireSeveralInOneStepAndCannotIsFound() {
        Sketch sketch = new Sketch(Set.of(Trait.SERVER_CLOCK, Trait.MULTI_LOCK), Sketch.sound()::acquire);

        assertBroken(ProtocolLaws::severalLocksAreAcquiredInOneStepByTheTrait, sketch, "claims to, but cannot");
    }

    @Test
    void whoCanAcquireSeveralInOneStepAndDoesNotSayIsFound() {
        SetSketch sketch = new SetSketch(Set.of(Trait.SERVER_CLOCK), contexts -> Step.done(other()));

        assertBroken(ProtocolLaws::severalLocksAreAcquiredInOneStepByTheTrait, sketch, "does not claim to");
    }

    private static MultiLockOutcome both(LockOutcome.Acquired first) {
        Lease lease = first.lease();
        return new MultiLockOutcome.Acquired(
                List.of(lease, ProtocolFixture.lease(ProtocolFixture.OTHER_NAME, lease.fencingToken())));
    }

    private static MultiLockOutcome acquired(List<AcquireContext> contexts) {
        List<Lease> leases = new ArrayList<>();
        contexts.forEach(context -> leases.add(ProtocolFixture.lease(context.name(), LockDocumentFixtures.TOKEN)));
        return new MultiLockOutcome.Acquired(leases);
    }

    private static MultiLockOutcome other() {
        return new MultiLockOutcome.Contended(LockSnapshot.unused(ProtocolFixture.NAME));
    }
}
