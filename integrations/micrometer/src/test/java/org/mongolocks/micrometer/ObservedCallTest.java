package org.mongolocks.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/** The ends of a call that are hard to cause on a server, or need a race. */
class ObservedCallTest {
    private static final LockName NAME = LockName.of("lock");

    private static final LockSnapshot ANOTHER = LockSnapshot.of(LockName.of("another"), Optional.of("elsewhere"), 1, 1)
            .lease(Duration.ofSeconds(30), Optional.empty(), Optional.empty());

    private final RecordedObservations observations = new RecordedObservations();
    private final ObservedCall call =
            new ObservedCall(observations.registry, NAME, "flag-update", ObservedCall.Mode.REACTIVE, null);

    @AfterEach
    void assertComplete() {
        observations.assertComplete();
    }

    @Test
    void indeterminateAcquisitionIsAnError() {
        LockOutcome.Indeterminate outcome =
                new LockOutcome.Indeterminate(new Owner("here", UUID.randomUUID()), new MongoException("no reply"));
        IndeterminateOutcomeException error =
                IndeterminateOutcomeException.ofAcquire("no reply", Optional.of(NAME), outcome);

        call.failed(error);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire indeterminate");
        assertThat(observations.only(LockObservation.ACQUIRE).getError()).isSameAs(error);
    }

    @Test
    void grantAfterACancellationStartsNothing() {
        call.cancelled();
        call.beginWork(1);
        call.returned();

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire cancelled");
    }

    @Test
    void lossSuppressedByTheErrorOfTheWorkIsALoss() {
        IllegalStateException error = new IllegalStateException("wrong");
        error.addSuppressed(new LockLostException(NAME, LossReason.EXPIRED, "for a test", null));
        call.beginWork(1);

        call.failed(error);

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work lost");
        assertThat(observations.only(LockObservation.WORK).getError()).isSameAs(error);
    }

    @Test
    void contentionInTheWorkIsAFailureOfTheWork() {
        call.beginWork(1);

        call.failed(new LockContendedException(ANOTHER.name(), ANOTHER, false, Duration.ZERO));

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work failed");
    }

    @Test
    void secondEndHasNoEffect() {
        call.beginWork(1);
        call.returned();
        call.cancelled();
        call.close();

        assertThat(observations.outcomes()).containsExactly("mongo.locks.acquire acquired", "mongo.locks.work done");
    }
}
