package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.StaleTokenException;
import org.mongolocks.sync.LockClient;

/** Runs the example of docs/guides/stock.md. */
class StockTest {
    private static final String ITEM = "lamp";
    private static final int LEFT = 5;

    private final GuideScene scene = GuideScene.open();
    private final MongoCollection<Document> items = scene.collection("items");
    private final AtomicInteger payments = new AtomicInteger();
    private LockClient northLocks;
    private Stock north;
    private Stock south;

    @BeforeEach
    void open() throws InterruptedException {
        items.insertOne(new Document("_id", ITEM).append("left", LEFT));
        northLocks = scene.client();
        north = new Stock(northLocks, items);
        south = new Stock(scene.client(), items);
    }

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    @Test
    void instancesThatSellAtTheSameTimeSellWhatIsThere() throws Exception {
        ExecutorService customers = Executors.newFixedThreadPool(4);
        List<Future<Boolean>> sales = new ArrayList<>();
        for (int customer = 0; customer < 2 * LEFT; customer++) {
            Stock instance = customer % 2 == 0 ? north : south;
            sales.add(customers.submit(() -> instance.sell(ITEM, 1, payments::incrementAndGet)));
        }
        int sold = 0;
        for (Future<Boolean> sale : sales) {
            sold += sale.get() ? 1 : 0;
        }
        customers.shutdown();

        assertThat(sold).isEqualTo(LEFT);
        assertThat(payments).hasValue(LEFT);
        assertThat(left()).isZero();
    }

    @Test
    void holderThatWasPausedPastItsLeaseSellsNothing() throws Exception {
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> north.sell(ITEM, LEFT, () -> {
                    scene.endUnnoticed(northLocks, "stock-" + ITEM);
                    sellOnSouth(LEFT);
                }));

        assertThat(left()).isZero();
    }

    @Test
    void refusedPaymentLeavesTheStock() throws Exception {
        assertThatIllegalStateException()
                .isThrownBy(() -> north.sell(ITEM, 1, () -> {
                    throw new IllegalStateException("no money");
                }));

        assertThat(left()).isEqualTo(LEFT);
        assertThat(south.sell(ITEM, 1, payments::incrementAndGet)).isTrue();
    }

    private void sellOnSouth(int quantity) {
        try {
            assertThat(south.sell(ITEM, quantity, payments::incrementAndGet)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int left() {
        return items.find(eq("_id", ITEM)).first().getInteger("left");
    }
}
