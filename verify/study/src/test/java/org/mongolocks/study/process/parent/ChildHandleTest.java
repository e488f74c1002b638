package org.mongolocks.study.process.parent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.RecordLine;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;

/** Tests that an invalid or missing message of a child fails the run with a clear reason. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the child is a shell")
class ChildHandleTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RunObserver observer = new RunObserver(true);
    /** Answers each message with the same message. */
    private final ChildProcess process =
            ChildProcess.start(List.of("sh", "-c", "echo out of memory >&2; cat"), Map.of());

    private final ChildHandle handle = new ChildHandle(
            7,
            process,
            new ChildHandle.Context(observer, ProcessFault.NONE, new ChildGroupTest.NoScene()),
            Clocks.now(),
            Optional.empty());

    @BeforeEach
    void listen() {
        process.listen(handle);
    }

    @AfterEach
    void close() {
        handle.close();
    }

    private void say(ChildMessage report) {
        process.send(RecordLine.of((Record) report));
    }

    private void assertFails(String message) {
        assertThatThrownBy(() -> observer.await(() -> false, TIMEOUT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void rubbishFailsTheRunAndIsRepeated() {
        process.send("Killed by the weather");

        assertFails("Child 7 sent an invalid message: Unknown message 'Killed by the weather'");
    }

    @Test
    void troubleFailsTheRunWithItsReason() {
        say(new ChildMessage.Trouble("no server"));

        assertFails("Child 7 cannot continue: no server");
    }

    @Test
    void childThatExitsWithoutAMessageFailsTheRunWithItsOutput() {
        process.kill();

        assertFails("Child 7 exited without a message. Its output:");
    }

    @Test
    void childThatSaidGoodbyeHasEnded() throws InterruptedException {
        say(new ChildMessage.Bye(Clocks.now(), 0));

        assertThat(observer.await(handle::hasEnded, TIMEOUT)).isTrue();
    }

    @Test
    void killedChildMayExitWithoutAMessage() throws InterruptedException {
        handle.kill();

        assertThat(process.endsWithin(TIMEOUT)).isTrue();
        assertThat(handle.hasEnded()).isTrue();
        observer.requireNoFailure();
    }

    @Test
    void aMonotonicClockOfItsOwnIsNoticed() {
        say(new ChildMessage.Hello(new Clocks(System.nanoTime() + TIMEOUT.toNanos(), 0)));

        assertFails("Child 7 has a different monotonic clock from its parent");
    }
}
