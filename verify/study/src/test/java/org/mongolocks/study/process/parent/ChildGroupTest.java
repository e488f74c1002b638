package org.mongolocks.study.process.parent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.process.fault.ClockSkew;
import org.mongolocks.study.process.fault.Faketime;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;

/** Tests of the start of children. */
class ChildGroupTest {
    @Test
    @Timeout(value = 45, unit = TimeUnit.SECONDS)
    void aWallClockThatCannotBeSetWrongFailsTheRun() {
        assumeTrue(Faketime.find().isPresent(), "faketime is not installed");
        RunObserver observer = new RunObserver(true);

        try (ChildGroup children = new ChildGroup(observer, ProcessFault.NONE, new NoScene())) {
            var unused = children.start(Optional.of(new ClockSkew("+0", Duration.ofMinutes(10), 1)));

            assertThatThrownBy(() -> observer.await(() -> false, Duration.ofSeconds(40)))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageStartingWith("Child 1: its clock should be ahead by PT10M");
        }
    }

    /** A scene without actions. */
    static final class NoScene implements ProcessFault.Scene {
        @Override
        public void kill(int child) {
            throw new AssertionError();
        }

        @Override
        public void pause(int child) {
            throw new AssertionError();
        }
    }
}
