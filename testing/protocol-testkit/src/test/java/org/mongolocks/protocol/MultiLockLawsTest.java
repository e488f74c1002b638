package org.mongolocks.protocol;

import static org.mongolocks.protocol.BrokenStrategies.assertBroken;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.mongolocks.Lease;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.MultiLockOutcome;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Tests that the laws detect strategies that acquire several locks in one step incorrectly. */
class MultiLockLawsTest {
    @Test
    void unconfirmedGrantOfOneLockIsDetected() {
        AcquireAllStub stub = AcquireAllStub.acquiringAll(contexts -> AcquireStub.correct()
                .acquire(contexts.get(0))
                .andThen(outcome -> Step.done(outcome instanceof LockOutcome.Acquired first ? both(first) : other())));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "ends with Acquired");
    }

    @Test
    void grantAfterLostLastReplyIsDetected() {
        AcquireAllStub stub = AcquireAllStub.acquiringAll(contexts -> Step.call(
                AcquireStub.acquireOrExtend(contexts.get(0)),
                first -> Step.call(
                        AcquireStub.acquireOrExtend(contexts.get(1)),
                        second ->
                                second instanceof Reply.Failed ? Step.done(acquired(contexts)) : Step.done(other()))));

        assertBroken(ProtocolLaws::grantIsConfirmedByOwnerInWrittenDocument, stub, "ends with Acquired");
    }

    @Test
    void traitWithoutProgramIsDetected() {
        AcquireStub stub =
                new AcquireStub(Set.of(Trait.SERVER_CLOCK, Trait.MULTI_LOCK), AcquireStub.correct()::acquire);

        assertBroken(ProtocolLaws::programForSeveralLocksMatchesTrait, stub, "empty with the trait");
    }

    @Test
    void programWithoutTraitIsDetected() {
        AcquireAllStub stub = new AcquireAllStub(Set.of(Trait.SERVER_CLOCK), contexts -> Step.done(other()));

        assertBroken(ProtocolLaws::programForSeveralLocksMatchesTrait, stub, "present without the trait");
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
