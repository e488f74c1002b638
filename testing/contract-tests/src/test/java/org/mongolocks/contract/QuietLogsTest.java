package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.testkit.engine.EngineTestKit;

class QuietLogsTest {
    private static final Logger ROOT = Logger.getLogger("");

    @Test
    @ResourceLock(Resources.SYSTEM_ERR)
    @Tag("finds:logs-of-passed-tests")
    void onlyTestsThatFailShowTheirLogs() {
        Output output = new Output();
        PrintStream usual = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ROOT.addHandler(output);
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            EngineTestKit.engine("junit-jupiter")
                    .selectors(selectClass(Sample.class))
                    .execute()
                    .testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(1).failed(1));
        } finally {
            System.setErr(usual);
            ROOT.removeHandler(output);
        }

        assertThat(output.messages).doesNotContain("of a test that passes", "of a test that fails");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("of a test that fails")
                .doesNotContain("of a test that passes");
    }

    @ExtendWith(QuietLogs.class)
    static class Sample {
        private static final System.Logger LOG = System.getLogger("org.mongolocks");

        @Test
        void passes() {
            LOG.log(System.Logger.Level.WARNING, "of a test that passes");
        }

        @Test
        void fails() {
            LOG.log(System.Logger.Level.WARNING, "of a test that fails");
            throw new AssertionError("for a test");
        }
    }

    private static final class Output extends Handler {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            messages.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
