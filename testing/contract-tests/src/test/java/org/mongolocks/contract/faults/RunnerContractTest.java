package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.SchemaMode;
import org.mongolocks.contract.ProbeStrategy;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

/** Tests that both drivers give the same reply to each operation, with each fault. */
@ExtendWith(DroppedDatabase.class)
class RunnerContractTest {
    private static final LockName ANY = LockName.of("any");

    /** For operations without a fault: no machine is so busy. */
    private static final Duration AMPLE_LIMIT = Duration.ofMinutes(1);

    private final ContractServer server = ServerFinder.found();

    @ParameterizedTest
    @MethodSource("org.mongolocks.contract.faults.RunnerCase#plain")
    void aReplyIsTheSameOnBothDrivers(RunnerCase operation) throws Exception {
        assertSameReplies(operation, AMPLE_LIMIT, faulty -> {});
    }

    @ParameterizedTest
    @MethodSource("org.mongolocks.contract.faults.RunnerCase#transactional")
    void aReplyInATransactionIsTheSameOnBothDrivers(RunnerCase operation) throws Exception {
        assumeFalse(server.isStandalone(), "A standalone has no transactions");

        List<String> replies = assertSameReplies(operation, AMPLE_LIMIT, faulty -> {});

        assertThat(replies).noneMatch(reply -> reply.contains("Failed"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("broken")
    void aFaultMeansTheSameOnBothDrivers(RunnerCase operation, RunnerFault fault) throws Exception {
        assumeFalse(server.isStandalone() && operation.isInTransaction(), "A standalone has no transactions");

        List<String> replies =
                assertSameReplies(operation, server.timeout(), faulty -> fault.inject(faulty, operation.command()));

        Fault meaning = fault.meaningFor(operation);
        boolean late = meaning == Fault.AMBIGUOUS && operation.isPlainWrite();
        assertThat(replies).last().isEqualTo("Failed " + meaning + (late ? ", may come late" : ""));
    }

    @Test
    void aStandaloneHasNoTransactionsOnEitherDriver() throws Exception {
        RunnerCase commit = RunnerCase.transactional()
                .filter(operation -> operation.command().equals("commitTransaction"))
                .findFirst()
                .orElseThrow();

        for (Driver driver : Driver.values()) {
            List<String> replies = replies(ServerFinder.standalone(), driver, commit, AMPLE_LIMIT, faulty -> {});
            assertThat(replies).contains("Failed " + Fault.UNSUPPORTED);
        }
    }

    static Stream<Arguments> broken() {
        return Stream.concat(RunnerCase.plain(), RunnerCase.transactional())
                .filter(operation -> !operation.command().isEmpty())
                .flatMap(operation -> Stream.of(RunnerFault.values())
                        .filter(fault -> fault.fits(operation))
                        .map(fault -> Arguments.of(operation, fault)));
    }

    private List<String> assertSameReplies(
            RunnerCase operation, Duration commandTimeout, Consumer<FaultyLocks> injection) throws Exception {
        List<String> sync = replies(server, Driver.SYNC, operation, commandTimeout, injection);
        List<String> reactive = replies(server, Driver.REACTIVE, operation, commandTimeout, injection);
        assertThat(reactive).isEqualTo(sync).hasSameSizeAs(operation.operations());
        return sync;
    }

    private static List<String> replies(
            ContractServer server,
            Driver driver,
            RunnerCase operation,
            Duration commandTimeout,
            Consumer<FaultyLocks> injection)
            throws Exception {
        ProbeStrategy probe = new ProbeStrategy(operation.operations());
        Driver.Setup setup = builder -> builder.strategy(probe)
                .collection("runner-" + UUID.randomUUID())
                .schema(SchemaMode.NONE)
                .commandTimeout(commandTimeout);
        try (FaultyLocks faulty = FaultyLocks.on(ProxyRoute.to(server.uri(), false), driver, setup)) {
            injection.accept(faulty);
            faulty.locks().tryAcquire(ANY, Duration.ofSeconds(10));
        }
        return probe.replies().stream().map(RunnerContractTest::comparable).toList();
    }

    /** Removes the server's time and the connection id, which differ between replies. */
    private static String comparable(Reply reply) {
        if (reply instanceof Reply.Failed failed) {
            return "Failed " + failed.fault() + (failed.mayExecuteLate() ? ", may come late" : "");
        }
        if (reply instanceof Reply.Found found && found.document().isPresent()) {
            BsonDocument document = found.document().get();
            List<String> volatileFields = new ArrayList<>(List.of("localTime", "connectionId", "lastWrite"));
            volatileFields.addAll(List.of("$clusterTime", "operationTime", "topologyVersion"));
            volatileFields.forEach(document::remove);
            return "Found " + document.toJson();
        }
        return reply.toString();
    }
}
