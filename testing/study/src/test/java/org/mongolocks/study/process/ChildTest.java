package org.mongolocks.study.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.fault.WrongClock;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageLine;

/** Tests that an invalid or missing message of a child, or a wrong clock, fails the run with a clear reason. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the child is a shell")
class ChildTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final RunObserver observer = new RunObserver(List.of(), new Judge(), 1);
    /** Answers each message with the same message. */
    private final ChildProcess process =
            ChildProcess.start(List.of("sh", "-c", "echo out of memory >&2; exec cat"), Map.of());

    private final Child child =
            new Child(7, process, observer, (number, point) -> Duration.ZERO, Clocks.now(), Optional.empty());

    @AfterEach
    void close() {
        child.close();
    }

    private void say(ChildMessage report) {
        process.send(MessageLine.of((Record) report));
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

        assertThat(observer.await(child::hasEnded, TIMEOUT)).isTrue();
    }

    @Test
    void killedChildMayExitWithoutAMessage() throws InterruptedException {
        child.kill();

        assertThat(process.endsWithin(TIMEOUT)).isTrue();
        assertThat(child.hasEnded()).isTrue();
        observer.requireNoFailure();
    }

    @Test
    void aMonotonicClockOfItsOwnIsNoticed() {
        say(new ChildMessage.Hello(new Clocks(System.nanoTime() + TIMEOUT.toNanos(), 0)));

        assertFails("Child 7 has a different monotonic clock from its parent");
    }

    @Test
    void aWallClockThatCannotBeSetWrongFailsTheRun() {
        assumeTrue(WrongClock.library().isPresent(), "faketime is not installed");
        Optional<WrongClock> clock = Optional.of(new WrongClock("+0", Duration.ofMinutes(10), 1));

        try (Child wrong = Child.start(1, observer, (number, point) -> Duration.ZERO, clock)) {
            assertThat(wrong.hasEnded()).isFalse();
            assertFails("Child 1: its clock should be ahead by PT10M");
        }
    }
}
