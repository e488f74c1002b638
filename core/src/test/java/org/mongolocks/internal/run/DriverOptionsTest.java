package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.internal.build.MongoDriverVersion;
import org.junit.jupiter.api.Test;

class DriverOptionsTest {
    @Test
    void aDriverWithClientSideTimeoutsIsAccepted() {
        assertThat(DriverOptions.<String>requireSupported(() -> "database")).isEqualTo("database");
    }

    /** {@code .ci/drivers} shows the same with such a driver. */
    @Test
    void aDriverWithoutThemIsRefusedByItsVersion() {
        NoSuchMethodError missing = new NoSuchMethodError("MongoDatabase.withTimeout");

        assertThatIllegalStateException()
                .isThrownBy(() -> DriverOptions.requireSupported(() -> {
                    throw missing;
                }))
                .withMessageContaining("needs MongoDB's Java driver 5.2 or newer, found mongodb-driver-core "
                        + MongoDriverVersion.VERSION + " (MongoDatabase.withTimeout is missing)")
                .withCause(missing);
    }
}
