package org.mongolocks.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TargetServerTest {
    @Test
    void unreachableServerIsAwaitedBriefly() {
        try (TargetServer server = TargetServer.of(Optional.of("mongodb://localhost/"))) {
            MongoClientSettings settings = server.settings().build();

            assertThat(settings.getClusterSettings().getServerSelectionTimeout(TimeUnit.SECONDS))
                    .isLessThanOrEqualTo(10);
            assertThat(settings.getSocketSettings().getConnectTimeout(TimeUnit.SECONDS))
                    .isLessThanOrEqualTo(10);
        }
    }
}
