package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.reporting.server.Target;

class ProtectedDataTest {
    private final Target server = Target.of(Optional.empty());
    private final Meeting meeting = new Meeting();
    private final MongoClient mongo =
            MongoClients.create(server.settings().addCommandListener(meeting).build());
    private final MongoCollection<Document> collection =
            mongo.getDatabase("test").getCollection("data");
    private final ProtectedData data = new ProtectedData(collection, "x");

    @AfterEach
    void stop() {
        mongo.close();
        server.close();
    }

    @Test
    void visitsOneAfterTheOtherWithGrowingTokensAreNoViolation() {
        data.visit(1);
        data.visit(2);
        data.visit(5);

        assertThat(data.violations()).isEqualTo(new Violations(0, 0, 0));
        assertThat(collection.find().first()).containsEntry("visits", 3L).containsEntry("token", 5L);
    }

    @Test
    void aTokenThatDoesNotGrowIsNoticed() {
        data.visit(5);
        data.visit(5);
        data.visit(4);

        assertThat(data.violations()).isEqualTo(new Violations(0, 2, 0));
    }

    @Test
    void updateThatWasUndoneIsDetected() {
        data.visit(1);
        data.visit(2);
        collection.updateOne(new Document(), Updates.set("visits", 1L));

        assertThat(data.violations()).isEqualTo(new Violations(0, 0, 1));
    }

    @Test
    void concurrentAccessesAreDetectedAndLoseAnUpdate() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        meeting.expectTwo();
        try {
            for (Future<Object> visit : threads.invokeAll(List.of(visit(1), visit(2)))) {
                visit.get();
            }
        } finally {
            threads.shutdown();
            meeting.end();
        }

        assertThat(data.violations().notAlone()).isPositive();
        assertThat(data.violations().lostUpdates()).isEqualTo(1);
    }

    private Callable<Object> visit(long token) {
        return Executors.callable(() -> data.visit(token));
    }

    /** Delays each reader until two have read. */
    private static final class Meeting implements CommandListener {
        private volatile Optional<CyclicBarrier> barrier = Optional.empty();

        void expectTwo() {
            barrier = Optional.of(new CyclicBarrier(2));
        }

        void end() {
            barrier = Optional.empty();
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            if (event.getCommandName().equals("find")) {
                barrier.ifPresent(Meeting::await);
            }
        }

        private static void await(CyclicBarrier barrier) {
            try {
                barrier.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
