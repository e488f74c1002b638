package org.mongolocks.example.migrations.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.example.migrations.Shop;
import org.mongolocks.sync.OptimisticCollection;

/** Writers that a version, or the lock of a transaction, keeps from losing updates. */
class DepositsTest extends Shop {
    @BeforeEach
    void insertAccount() {
        collection("accounts")
                .insertOne(new Document("_id", 7).append("balance", 0).append("version", 1));
        mongo.getDatabase("shop").createCollection("bookings");
    }

    @Test
    void concurrentWritersOfBothReleasesLoseNoUpdate() throws Exception {
        OldDeposits old = new OldDeposits(collection("accounts"));
        NewDeposits fresh = new NewDeposits(OptimisticCollection.of(collection("accounts")));
        Callable<Integer> oldWriter = () -> sumOfDeposits(() -> old.deposit(7, 1));
        Callable<Integer> newWriter = () -> sumOfDeposits(() -> fresh.deposit(7, 1));
        ExecutorService threads = Executors.newFixedThreadPool(4);

        int sum = 0;
        try {
            for (Future<Integer> writer : threads.invokeAll(List.of(oldWriter, newWriter, oldWriter, newWriter))) {
                sum += writer.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(account()).containsEntry("balance", sum).containsEntry("version", 1L + sum);
    }

    @Test
    void bookingIsWrittenWithTheBalance() throws InterruptedException {
        Bookings bookings = new Bookings(lockClient(), collection("bookings"), collection("accounts"));

        assertThat(bookings.book(7, 5)).isTrue();

        assertThat(account()).containsEntry("balance", 5);
        assertThat(collection("bookings").countDocuments()).isEqualTo(1);
    }

    private static int sumOfDeposits(Callable<Boolean> deposit) throws Exception {
        int sum = 0;
        for (int i = 0; i < 50; i++) {
            sum += deposit.call() ? 1 : 0;
        }
        return sum;
    }

    private static Document account() {
        Document account = collection("accounts").find().first();
        assertThat(account).isNotNull();
        return account;
    }
}
