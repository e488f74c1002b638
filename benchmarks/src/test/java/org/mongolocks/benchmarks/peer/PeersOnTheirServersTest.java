package org.mongolocks.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;

/** Checks the locks of others that need a server of their own, where one is named; see {@link PeerServers}. */
class PeersOnTheirServersTest {
}
