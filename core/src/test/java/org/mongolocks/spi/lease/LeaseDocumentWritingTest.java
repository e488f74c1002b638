package org.mongolocks.spi.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.Owner;
import org.mongolocks.spi.MongoOp.UpdateSpec;

/** Tests of updates that a schema creates once for each ttl. */
class LeaseDocumentWritingTest {
    private final LeaseDocument document = LeaseDocument.withFormat("test/1");

    @ParameterizedTest
    @ValueSource(longs = {10, 20, 30})
    void eachRenewalHasItsOwnTtl(long seconds) {
        document.updates().renewed(lease(Duration.ofSeconds(30)));

        UpdateSpec.Pipeline renewal =
                (UpdateSpec.Pipeline) document.updates().renewed(lease(Duration.ofSeconds(seconds)));

        assertThat(renewal.stages())
                .singleElement()
                .satisfies(stage -> assertThat(stage.getDocument("$set")
                                .getDocument("leaseMs")
                                .getArray("$max")
                                .get(0)
                                .asInt64()
                                .getValue())
                        .isEqualTo(1_000 * seconds));
        assertThat(document.updates().renewed(lease(Duration.ofSeconds(seconds))))
                .isEqualTo(renewal);
    }

    private static Lease lease(Duration ttl) {
        return new Lease(LockName.of("a"), new Owner("test", new UUID(0, 1)), 1, ttl, 0);
    }
}
