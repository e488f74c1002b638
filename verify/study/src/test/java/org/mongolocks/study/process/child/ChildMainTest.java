package org.mongolocks.study.process.child;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.study.process.fault.SigstopFault;
import org.mongolocks.study.process.message.ChildConfig;
import org.mongolocks.study.process.message.ChildMessage;
import org.mongolocks.study.process.message.MessageChannel;
import org.mongolocks.study.process.message.ParentMessage;
import org.mongolocks.study.process.parent.ChildProcess;

/** Tests that a child reports why it cannot start, and that none outlives its parent. */
class ChildMainTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final ServerSocket serverSocket = serverSocket();
    private final ChildProcess child =
            ChildProcess.start(1, serverSocket.getLocalPort(), Map.of(ChildMain.KEY, "sesame"));

    private static ServerSocket serverSocket() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void childIdentifiesItselfAndEndsWithItsParent() throws Exception {
        try (serverSocket;
                child) {
            try (MessageChannel parent = new MessageChannel(serverSocket.accept())) {
                assertThat(ChildMessage.parse(parent.receive().orElseThrow()))
                        .isInstanceOfSatisfying(ChildMessage.Hello.class, hello -> {
                            assertThat(hello.key()).isEqualTo("sesame");
                            assertThat(hello.child()).isEqualTo(1);
                            assertThat(hello.clocks().nanos())
                                    .isBetween(child.started().nanos(), System.nanoTime());
                        });
            }

            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }

    /** A client cannot be built on a collection with a unique index. */
    @Test
    @Timeout(value = 90, unit = TimeUnit.SECONDS)
    void childThatCannotStartSaysWhyAtOnce() throws Exception {
        try (serverSocket;
                child;
                EmbeddedMongo server = EmbeddedMongo.start();
                MongoClient mongo = MongoClients.create(server.connectionString());
                MessageChannel parent = new MessageChannel(serverSocket.accept())) {
            mongo.getDatabase("study")
                    .getCollection("locks")
                    .createIndex(Indexes.ascending("resourceId"), new IndexOptions().unique(true));
            ChildConfig.Place place = new ChildConfig.Place(server.connectionString(), 0, "study", "locks");
            parent.receive();

            parent.send(new ParentMessage.Start(new ChildConfig(place, "flag-update", ChildConfig.Driver.SYNC, 1, 0))
                    .line());

            assertThat(ChildMessage.parse(parent.receive().orElseThrow()))
                    .isInstanceOfSatisfying(
                            ChildMessage.Trouble.class,
                            trouble -> assertThat(trouble.what())
                                    .contains("LockSchemaException", "unique index 'resourceId_1'"));
            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there are no signals")
    void aChildThatWasStoppedAndContinuedAfterItsParentHadGoneEndsToo() throws Exception {
        try (serverSocket;
                child) {
            MessageChannel parent = new MessageChannel(serverSocket.accept());
            parent.receive();
            SigstopFault standstill = SigstopFault.of(child.pid());
            parent.close();

            standstill.end();

            assertThat(child.endsWithin(TIMEOUT)).isTrue();
        }
    }
}
