package org.mongolocks.contract.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.Commands;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests that a page is one command, although a server's default first batch is 101 documents. */
@ExtendWith(DroppedDatabase.class)
class ListCostTest {
    private static final int MORE_THAN_A_BATCH = 250;

    private final String collection = "pages-" + UUID.randomUUID();
    private final Commands commands = new Commands();

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aLongPageIsOneCommand(Driver driver) throws Exception {
        String uri = ServerFinder.found().uri();
        List<Document> stored = IntStream.range(0, MORE_THAN_A_BATCH)
                .mapToObj(number -> new Document("_id", "lock-" + number).append("format", "findandmodify-counter/3"))
                .toList();
        DriverClients.shared(uri)
                .sync()
                .getDatabase(LockContract.DATABASE)
                .getCollection(collection)
                .insertMany(stored);

        try (DriverClients connection = DriverClients.observedBy(uri, commands);
                BlockingLocks locks = driver.build(connection, LockContract.DATABASE, this::configure)) {
            int before = commands.count();
            LockPage page = locks.list(LockQuery.all().limit(MORE_THAN_A_BATCH - 1));

            assertThat(page.locks()).hasSize(MORE_THAN_A_BATCH - 1);
            assertThat(page.next()).isPresent();
            assertThat(commands.since(before)).containsExactly("find");
        }
    }

    private void configure(LockClientBuilder<?> builder) {
        builder.strategy(new FindAndModifyCounterStrategy())
                .collection(collection)
                .schema(SchemaMode.NONE);
    }
}
