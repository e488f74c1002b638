package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockStorageException;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.transactional.TransactionalStrategy;

@Tag("slow")
class TransactionalStandaloneTest {
    @ParameterizedTest
    @EnumSource(Driver.class)
    void standaloneIsRefusedWithTheRemedy(Driver driver) {
        DriverClients connection =
                DriverClients.shared(ServerFinder.standalone().uri());

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> driver.build(
                        connection, LockContract.DATABASE, builder -> builder.strategy(new TransactionalStrategy())))
                .withMessageEndingWith(
                        " was refused: strategy 'transactional' needs transactions, and so a replica set or a sharded cluster, but"
                                + " this server is a standalone. Start it as a replica set (a single node is enough: mongod"
                                + " --replSet rs0, then rs.initiate()) or choose another strategy.");
    }
}
