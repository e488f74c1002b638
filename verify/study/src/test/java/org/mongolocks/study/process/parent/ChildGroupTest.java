package org.mongolocks.study.process.parent;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;

/** Tests of the start of children. */
class ChildGroupTest {
    private static final ChildHandle.Circumstances CALM =
            new ChildHandle.Circumstances(Optional.empty(), ProcessFault.NONE, new ProcessFault.Scene() {
                @Override
                public void kill(int child) {
                    throw new AssertionError();
                }

                @Override
                public void pause(int child) {
                    throw new AssertionError();
                }
            });

    @Test
    @Timeout(value = 45, unit = TimeUnit.SECONDS)
    void childThatExitsBeforeItConnectsIsReportedAtOnceWithItsOutput() {
        try (ChildGroup children = new ChildGroup()) {
            children.raise(
                    Map.of("JDK_JAVA_OPTIONS", "-XX:NoSuchOption"),
                    process -> new ChildHandle(process, new RunObserver(true), CALM));

            assertThatThrownBy(() -> children.awaitMore(1))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("Child 1 exited before it connected. Its output: ")
                    .hasMessageContaining("NoSuchOption");
        }
    }
}
