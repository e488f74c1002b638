package org.mongolocks.contract.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.LockClient;

/** Runs the examples of docs/several-locks.md, and checks that the page shows them. */
class SeveralLocksExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("// begin\n(.*?)// end\n", Pattern.DOTALL);

    private final MongoClient mongo =
            DriverClients.shared(ServerFinder.embedded().uri()).sync();
    private final LockClient locks = build();
    private final List<String> done = new ArrayList<>();

    @AfterEach
    void close() {
        locks.close();
        mongo.getDatabase("examples").drop();
    }

    @Test
    void bothAccountsAreBooked() throws InterruptedException {
        // begin
        MultiLockRequest both = MultiLockRequest.of(List.of("account-7", "account-3"), Duration.ofSeconds(30))
                .waitAtMost(Duration.ofSeconds(10));
        boolean done = locks.tryWithLocks(both, held -> {
            book("account-7", -50, held.get("account-7").fencingToken());
            book("account-3", 50, held.get("account-3").fencingToken());
        });
        // end

        assertThat(done).isTrue();
        assertThat(this.done).containsExactly("account-7 -50", "account-3 50");
    }

    @Test
    void theSameOrderEntersAgain() throws InterruptedException {
        String orderId = "order-1";
        LockRequest request = locks.request(orderId);

        // begin
        boolean shipped = locks.reentrant(orderId).tryWithLock(request, outer -> {
            locks.reentrant(orderId).withLock(request, inner -> {
                assert inner.fencingToken() == outer.fencingToken();
                pack(orderId, inner.fencingToken());
            });
            send(orderId, outer.fencingToken());
        });
        // end

        assertThat(shipped).isTrue();
        assertThat(done).containsExactly("pack order-1", "send order-1");
    }

    @Test
    void aThreadLocksAndUnlocks() {
        // begin
        Lock lock = locks.asLock(locks.request("nightly-report"));
        lock.lock();
        try {
            report();
        } finally {
            lock.unlock();
        }
        // end

        assertThat(done).containsExactly("report");
    }

    @Test
    void theDocumentsShowTheseExamples() throws IOException {
        String source = Files.readString(Path.of(
                "src", "test", "java", "org", "mongolocks", "contract", "pages", "SeveralLocksExamplesTest.java"));
        String page = withoutSpaces(Files.readString(Path.of("..", "..", "docs", "several-locks.md")));

        List<String> examples = EXAMPLE.matcher(source)
                .results()
                .map((MatchResult match) -> withoutSpaces(match.group(1)))
                .toList();

        assertThat(examples).hasSize(3).allSatisfy(example -> assertThat(page).contains(example));
    }

    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private void book(String account, int amount, long token) {
        assertThat(token).isPositive();
        done.add(account + " " + amount);
    }

    private void pack(String order, long token) {
        assertThat(token).isPositive();
        done.add("pack " + order);
    }

    private void send(String order, long token) {
        assertThat(token).isPositive();
        done.add("send " + order);
    }

    private void report() {
        done.add("report");
    }

    private LockClient build() {
        return LockClient.builder(mongo, "examples")
                .strategy("findandmodify-counter")
                .build();
    }
}
