package org.mongolocks.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.EmbeddedBench;
import org.mongolocks.benchmarks.measure.Contended;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Grant;
import org.mongolocks.benchmarks.rival.Party;
import org.mongolocks.benchmarks.rival.Rival;
import org.mongolocks.benchmarks.rival.StrategyRival;
import org.mongolocks.benchmarks.rival.Waiting;
import org.mongolocks.spi.LockStrategies;

/** Contends for a moment: what is counted counts, not how often. */
class CrowdTest {
    private static final Duration TIME = Duration.ofMillis(300);

    @AutoClose
    private final EmbeddedBench server = new EmbeddedBench();

    @Test
    void everyGrantIsCountedAndItsCommandsToo() throws InterruptedException {
        try (Rival rival =
                new StrategyRival(server.bench(), LockStrategies.named("findandmodify-counter"), Client.SYNC)) {
            Contended contended = contend(Crowd.of(8, 0), rival);

            assertThat(contended.threads()).isEqualTo(9);
            assertThat(contended.violations().total()).isZero();
            assertThat(contended.grants()).isPositive();
            assertThat(contended.commandsPerGrant()).isGreaterThanOrEqualTo(2);
            assertThat(contended.fairness()).isBetween(1.0 / contended.threads(), 1.0);
            assertThat(contended.longestWaitNanos()).isPositive();
            assertThat(contended.seconds()).isBetween(0.3, 5.0);
        }
    }

    @Test
    void theyAreSpreadOverSoManyClients() throws InterruptedException {
        try (Counting rival = new Counting()) {
            contend(new Crowd(3, 4, Duration.ZERO, true), rival);

            assertThat(rival.opened).isEqualTo(3);
            assertThat(rival.closed).isEqualTo(3);
        }
    }

    @Test
    void thoseWhoAreInAtOnceAreWitnessed() throws InterruptedException {
        try (Rival rival = new LocksInMemory(2)) {
            assertThat(contend(Crowd.of(8, 1), rival).violations().total()).isPositive();
        }
    }

    @Test
    void whoLosesALockFails() {
        try (Rival rival = new Losing()) {
            assertThatThrownBy(() -> contend(Crowd.of(1, 0), rival))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("had been lost when it was released");
        }
    }

    private Contended contend(Crowd crowd, Rival rival) throws InterruptedException {
        return crowd.contend(rival, server.bench().protectedData(rival.id()), TIME);
    }

    /** Counts its clients. */
    private static final class Counting implements Rival {
        private final LocksInMemory locks = new LocksInMemory(1);
        private int opened;
        private int closed;

        @Override
        public String id() {
            return "counting";
        }

        @Override
        public Party open() {
            opened++;
            return new Party() {
                @Override
                public Optional<Grant> acquire(LockRequest request) throws InterruptedException {
                    return locks.acquire(request);
                }

                @Override
                public void close() {
                    closed++;
                }
            };
        }

        @Override
        public Waiting waiting() {
            return Waiting.TOLD;
        }

        @Override
        public void close() {
            // It has nothing to close.
        }
    }

    /** Grants to all, and has lost every lock when it is given back. */
    private static final class Losing implements Rival, Party {
        @Override
        public String id() {
            return "losing";
        }

        @Override
        public Party open() {
            return this;
        }

        @Override
        public Waiting waiting() {
            return Waiting.TOLD;
        }

        @Override
        public Optional<Grant> acquire(LockRequest request) {
            return Optional.of(new Grant() {
                @Override
                public OptionalLong fencingToken() {
                    return OptionalLong.empty();
                }

                @Override
                public boolean release() {
                    return false;
                }
            });
        }

        @Override
        public void close() {
            // It has nothing to close.
        }
    }
}
