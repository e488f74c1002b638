package org.mongolocks.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the child is a shell")
class ChildProcessTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Test
    @Tag("finds:soak-lost-release")
    void lastLinesOfAKilledProcessAreRead() throws InterruptedException {
        try (ChildProcess child =
                ChildProcess.start(List.of("sh", "-c", "echo released; echo written >&2; exec cat"), Map.of())) {
            while (!child.errors().equals("written")) {
                TimeUnit.MILLISECONDS.sleep(10);
            }

            child.kill();

            child.listen(new ChildProcess.Listener() {
                @Override
                public void received(String line) {
                    lines.add(line);
                }

                @Override
                public void ended() {
                    lines.add("ended");
                }
            });
            assertThat(lines.poll(10, TimeUnit.SECONDS)).isEqualTo("released");
        }
    }
}
