package org.mongolocks.study.process.child;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.process.ChildProcess;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.MessageLine;
import org.mongolocks.study.process.message.ParentMessage;

/** Tests that a child reports why it cannot start, and that none outlives its parent. */
class ChildMainTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final long started = System.nanoTime();
    private final ChildProcess child = ChildProcess.start(ChildMain.class, List.of(), List.of(), Map.of());
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        child.listen(new ChildProcess.Listener() {
            @Override
            public void received(String line) {
                lines.add(line);
            }

            @Override
            public void ended() {}
        });
    }

    private ChildMessage next() throws InterruptedException {
        return MessageLine.read(ChildMessage.class, lines.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void childReportsItsClocksAndEndsWithItsInput() throws Exception {
        try (child) {
            assertThat(next())
                    .isInstanceOfSatisfying(
                            ChildMessage.Hello.class,
                            hello -> assertThat(hello.clocks().nanos()).isBetween(started, System.nanoTime()));

            child.endInput();

            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }

    /** A client cannot be built on a collection with a unique index. */
    @Test
    @Timeout(value = 90, unit = TimeUnit.SECONDS)
    @Tag("finds:study-child-hides-its-failure")
    void childThatCannotStartSaysWhyAtOnce() throws Exception {
        try (child;
                EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString())) {
            mongo.getDatabase("study")
                    .getCollection("locks")
                    .createIndex(Indexes.ascending("resourceId"), new IndexOptions().unique(true));
            ParentMessage.Place place = new ParentMessage.Place(server.connectionString(), 0, "study", "locks");

            child.send(MessageLine.of(
                    new ParentMessage.Start(place, false, "flag-update", ParentMessage.Driver.SYNC, 1, false, 0)));

            assertThat(next()).isInstanceOf(ChildMessage.Hello.class);
            assertThat(next())
                    .isInstanceOfSatisfying(
                            ChildMessage.Trouble.class,
                            trouble -> assertThat(trouble.what())
                                    .contains("LockStorageException", "unique index 'resourceId_1'"));
            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals")
    void aChildThatWasSuspendedAndContinuedAfterItsParentHadGoneEndsToo() throws Exception {
        try (child) {
            assertThat(next()).isInstanceOf(ChildMessage.Hello.class);
            child.suspend();
            child.endInput();

            child.resume();

            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }
}
