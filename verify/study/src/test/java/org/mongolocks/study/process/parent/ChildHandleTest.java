package org.mongolocks.study.process.parent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.study.process.fault.ProcessFault;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.ChildMessage.Clocks;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.observer.RunFailedException;
import org.mongolocks.study.process.observer.RunObserver;

/** Tests that an invalid or missing message of a child fails the run with a clear reason. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the child is a shell")
class ChildHandleTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RunObserver observer = new RunObserver(true);
    private final ServerSocket serverSocket = serverSocket();
    private final Socket child = socket();
    private final ChildProcess process =
            ChildProcess.start(7, List.of("sh", "-c", "echo out of memory; read -r end"), Map.of());
    private final ChildHandle handle = new ChildHandle(
            process, observer, new ChildHandle.Circumstances(Optional.empty(), ProcessFault.NONE, new NoScene()));

    /** A scene without actions. */
    private static final class NoScene implements ProcessFault.Scene {
        @Override
        public void kill(int child) {
            throw new AssertionError();
        }

        @Override
        public void pause(int child) {
            throw new AssertionError();
        }
    }

    private static ServerSocket serverSocket() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Socket socket() {
        try {
            return new Socket(serverSocket.getInetAddress(), serverSocket.getLocalPort());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void meet() throws IOException {
        handle.meet(new ChildMessage.Hello("key", 7, Clocks.now()), new MessageChannel(serverSocket.accept()));
    }

    @AfterEach
    void close() throws IOException {
        handle.close();
        child.close();
        serverSocket.close();
    }

    private void say(String line) throws IOException {
        child.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void assertFails(String message) {
        assertThatThrownBy(() -> observer.await(() -> false, TIMEOUT))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void rubbishFailsTheRunAndIsRepeated() throws IOException {
        say("Killed by the weather");

        assertFails("Child 7 sent an invalid message: Unknown message 'Killed by the weather'");
    }

    @Test
    void aSecondGreetingFailsTheRun() throws IOException {
        say(new ChildMessage.Hello("key", 7, Clocks.now()).line().text());

        assertFails("Child 7 sent an invalid message: It has already identified itself");
    }

    @Test
    void troubleFailsTheRunWithItsReason() throws IOException {
        say(new ChildMessage.Trouble("no server").line().text());

        assertFails("Child 7 cannot continue: no server");
    }

    @Test
    void childThatExitsWithoutAMessageFailsTheRunWithItsOutput() throws IOException {
        process.kill();
        child.close();

        assertFails("Child 7 exited without a message. Its output:");
    }

    @Test
    void childThatSaidGoodbyeHasEnded() throws IOException, InterruptedException {
        say(new ChildMessage.Bye(Clocks.now(), 0).line().text());

        assertThat(observer.await(handle::hasEnded, TIMEOUT)).isTrue();
    }

    @Test
    void killedChildMayExitWithoutAMessage() throws IOException, InterruptedException {
        handle.kill();
        child.close();

        assertThat(process.endsWithin(TIMEOUT)).isTrue();
        assertThat(handle.hasEnded()).isTrue();
        observer.requireNoFailure();
    }

    @Test
    void aMonotonicClockOfItsOwnIsNoticed() throws IOException {
        ChildMessage.Hello late =
                new ChildMessage.Hello("key", 7, new Clocks(System.nanoTime() + TIMEOUT.toNanos(), 0));

        try (MessageChannel post = new MessageChannel(socket())) {
            assertThatThrownBy(() -> handle.meet(late, post))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("Child 7 has a different monotonic clock from its parent");
        }
    }
}
