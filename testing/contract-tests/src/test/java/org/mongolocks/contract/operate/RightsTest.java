package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.FlagUpdateContractTest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.TransactionalContractTest;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FullLifecycle;
import org.mongolocks.contract.rules.StorageRules;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockStrategy;

/** Tests that the roles of docs/operations.md permit exactly the commands that clients send. */
@ExtendWith(DroppedDatabase.class)
class RightsTest {
    private ContractServer server = ServerFinder.found();
    private final DocumentedRoles roles = DocumentedRoles.read();

    @ParameterizedTest
    @MethodSource("clients")
    void documentedRolesAllowExactlyTheCommandsSent(String name, Driver driver, SchemaMode schema) throws Exception {
        LockStrategy strategy = Shipped.supported(name);
        assumeFalse(server.isStandalone(), "A standalone has no change streams");

        Map<String, Set<String>> needed = needed(strategy, driver, schema);

        assertThat(needed).isEqualTo(documented(strategy, schema));
    }

    /** It reads a collection of the cluster's own, too. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void documentedRolesAllowExactlyTheCommandsSentToARouter(Driver driver) throws Exception {
        server = ServerFinder.router();

        documentedRolesAllowExactlyTheCommandsSent("transactional", driver, SchemaMode.CREATE);
    }

    @Test
    void contractGrantsTheDocumentedActions() {
        StorageRules plain = new FlagUpdateContractTest();
        StorageRules counting = new TransactionalContractTest();

        assertThat(roles.actionsOf(Set.of("lockClient"))).isEqualTo(Map.of("locks", set(plain.actionsOnLocks())));
        assertThat(roles.actionsOf(Set.of("lockClientTransactional")))
                .isEqualTo(Map.of("locks", set(counting.actionsOnLocks()), "fences", set(counting.actionsElsewhere())));
    }

    private static Set<String> set(List<String> actions) {
        return new TreeSet<>(actions);
    }

    static Stream<Arguments> clients() {
        return Shipped.names()
                .flatMap(name -> Stream.of(Driver.values())
                        .flatMap(driver ->
                                Stream.of(SchemaMode.values()).map(schema -> Arguments.of(name, driver, schema))));
    }

    private Map<String, Set<String>> needed(LockStrategy strategy, Driver driver, SchemaMode schema) throws Exception {
        String collection = "rights-" + UUID.randomUUID();
        if (schema == SchemaMode.VALIDATE) {
            build(DriverClients.shared(server.uri()), driver, strategy, collection, SchemaMode.CREATE)
                    .close();
        }
        NeededRights rights = new NeededRights(collection);
        try (DriverClients connection = DriverClients.observedBy(server.uri(), rights)) {
            try (BlockingLocks locks = build(connection, driver, strategy, collection, schema)) {
                new FullLifecycle(locks, server, strategy.waitingList().isPresent()).live(rights::streams);
            }
            // A client that finds all collections in place reads the options of each.
            build(connection, driver, strategy, collection, schema).close();
        }
        return rights.actions();
    }

    private BlockingLocks build(
            DriverClients connection, Driver driver, LockStrategy strategy, String collection, SchemaMode schema)
            throws InterruptedException {
        return driver.build(connection, LockContract.DATABASE, builder -> {
            builder.strategy(strategy).collection(collection).schema(schema);
            server.setClocks(builder);
        });
    }

    /** Returns the actions on collections and indexes of this strategy, from the roles for the schema. */
    private Map<String, Set<String>> documented(LockStrategy strategy, SchemaMode schema) {
        boolean counts = strategy.schema().collections().size() > 1;
        Map<String, Set<String>> allowed =
                new TreeMap<>(roles.actionsOf(Set.of(counts ? "lockClientTransactional" : "lockClient")));
        roles.actionsOf(Set.of("lockSchemaRead")).forEach((collection, actions) -> {
            if (counts || !collection.equals("fences")) {
                allowed.computeIfAbsent(collection, none -> new TreeSet<>()).addAll(actions);
            }
        });
        for (LockCollection collection : strategy.schema().collections()) {
            Set<String> more = new TreeSet<>(onSchema(schema).getOrDefault(collection.name(), Set.of()));
            if (collection.ttl().isEmpty() && more.remove("createIndex")) {
                more.add("createCollection");
            }
            allowed.computeIfAbsent(collection.name(), none -> new TreeSet<>()).addAll(more);
        }
        if (server.isSharded()) {
            allowed.putAll(roles.actionsOf(Set.of("lockShardKeyRead")));
        }
        return allowed;
    }

    private Map<String, Set<String>> onSchema(SchemaMode schema) {
        return switch (schema) {
            case CREATE -> roles.actionsOf(Set.of("lockSchemaCreate"));
            case VALIDATE, NONE -> Map.of();
        };
    }
}
