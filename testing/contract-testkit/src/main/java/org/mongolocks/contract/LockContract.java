package org.mongolocks.contract;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.client.MongoDatabase;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockName;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.contract.rules.AmbiguityRules;
import org.mongolocks.contract.rules.FairnessRules;
import org.mongolocks.contract.rules.FaultRules;
import org.mongolocks.contract.rules.FencingRules;
import org.mongolocks.contract.rules.GuardedTransactionRules;
import org.mongolocks.contract.rules.InspectionRules;
import org.mongolocks.contract.rules.JucLockRules;
import org.mongolocks.contract.rules.LateCommandRules;
import org.mongolocks.contract.rules.LeaseRules;
import org.mongolocks.contract.rules.LockNameRules;
import org.mongolocks.contract.rules.LossRules;
import org.mongolocks.contract.rules.MultiLockRules;
import org.mongolocks.contract.rules.MutualExclusionRules;
import org.mongolocks.contract.rules.ReentryRules;
import org.mongolocks.contract.rules.ReleaseRules;
import org.mongolocks.contract.rules.StorageRules;
import org.mongolocks.contract.rules.WaitingRules;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.GuardedDocument;
import org.mongolocks.server.LimitedUser;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.RacyCounter;
import org.mongolocks.server.RawCollection;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.LockSchema.LockFields;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * The contract tests of a strategy, on both drivers and on the server found. A strategy author writes:
 *
 * <pre>{@code
 * class MyStrategyContractTest extends LockContract {
 *     @Override
 *     public LockStrategy strategy() {
 *         return new MyStrategy();
 *     }
 * }
 * }</pre>
 *
 * <p>The server is the one that {@code MONGO_LOCKS_URI} names (system property or environment variable), else one that
 * Docker starts, else the embedded one; the choice is printed. A rule that needs a trait the strategy does not claim is
 * skipped with that reason. Faults are injected by a proxy between driver and server, so the server needs no support
 * for them, but they are not possible with TLS. The rules use only the database {@link #DATABASE}, and drop it at the
 * end.
 */
@ParameterizedClass(name = "{0}")
@ArgumentsSource(OnDrivers.Provider.class)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = LockContract.OneClock.class)
@ExtendWith({QuietLogs.class, SkippedRules.class, DroppedDatabase.class})
public abstract class LockContract
        implements MutualExclusionRules,
                FencingRules,
                LeaseRules,
                ReleaseRules,
                WaitingRules,
                FairnessRules,
                LossRules,
                InspectionRules,
                StorageRules,
                LockNameRules,
                FaultRules,
                AmbiguityRules,
                LateCommandRules,
                MultiLockRules,
                ReentryRules,
                JucLockRules,
                GuardedTransactionRules {
    /**
     * The database that the rules use: {@code mongo_locks_contract_} and a random suffix, so that parallel runs do not
     * share it.
     */
    public static final String DATABASE = ContractServer.DATABASE;

    /** Whether the clients declare version 1 of the stable API, strictly. */
    private static final boolean IS_STRICT = Boolean.getBoolean("mongolocks.strictApi");

    private static final Duration FIRST_POLL = Duration.ofMillis(5);
    private static final Duration MAX_POLL = Duration.ofMillis(50);
    private static final Duration UNTIL_CLEANED_UP = Duration.ofHours(49);

    private static final Duration LEASE_OF_WARM_UP = Duration.ofMinutes(1);
    private static final Set<String> WARMED_UP = new HashSet<>();

    /** The driver of this run. */
    @Parameter
    protected Driver driver = Driver.SYNC;

    private final List<BlockingLocks> clients = new CopyOnWriteArrayList<>();
    private @Nullable ContractServer server;

    /** Instantiated by JUnit for each run. */
    protected LockContract() {}

    @Override
    public ContractServer server() {
        ContractServer known = server == null ? ServerFinder.found() : server;
        server = known;
        return known;
    }

    @Override
    public final BlockingLocks newLocks(Consumer<LockClientBuilder<?>> setup) throws InterruptedException {
        BlockingLocks locks = build(DriverClients.shared(server().uri()), builder -> {
            configure(builder);
            setup.accept(builder);
        });
        clients.add(locks);
        return locks;
    }

    @Override
    public final LimitedLocks newLimitedLocks(String collection, Map<String, List<String>> actions)
            throws InterruptedException {
        LimitedUser user =
                LimitedUser.create(DriverClients.shared(server().uri()).sync().getDatabase(DATABASE), actions);
        DriverClients connection = user.connect(server().uri());
        BlockingLocks locks = build(connection, builder -> {
            configure(builder);
            builder.collection(collection).schema(SchemaMode.NONE);
        });
        return new LimitedLocks(locks, connection, user);
    }

    @Override
    public final RawCollection stored(String collection) {
        return new RawCollection(DriverClients.shared(server().uri()).sync().getDatabase(DATABASE), collection);
    }

    @Override
    public final FaultyLocks newFaultyLocks(boolean retryWrites, Duration commandTimeout) throws InterruptedException {
        ProxyRoute detour = detour(retryWrites);
        driver.connect(detour.connection());
        Driver.Setup setup = builder -> configureFaulty(builder, commandTimeout);
        return new FaultyLocks(build(detour.connection(), setup), detour);
    }

    @Override
    public final CountDownLatch nextAnswered(LockName name, int times) {
        return DriverClients.shared(server().uri())
                .sent()
                .nextAnswered(times, command -> command.getCommand().toJson().contains(name.value()));
    }

    @Override
    public final CountDownLatch nextSent(LockName name) {
        return DriverClients.shared(server().uri())
                .sent()
                .nextSent(1, command -> command.getCommand().toJson().contains(name.value()));
    }

    @Override
    public final List<String> written(LockName name) {
        return GuardedDocument.written(database(), name);
    }

    @Override
    public final void prepareData() {
        GuardedDocument.prepare(database());
    }

    @Override
    public final RacyCounter newWitness() {
        String id = freshName().value();
        return new RacyCounter(database().getCollection("witness"), id);
    }

    @Override
    public final LockName freshName() {
        return LockName.of("contract-" + UUID.randomUUID());
    }

    @Override
    public final void cleanUp(LockName name) {
        if (!server().cleanUpAfter(UNTIL_CLEANED_UP)) {
            database().getCollection(collection()).deleteOne(new Document("_id", name.value()));
        }
    }

    @Override
    public final int waiters(LockName name) {
        Document lock = database()
                .getCollection(collection())
                .find(new Document("_id", name.value()))
                .first();
        return lock == null
                ? 0
                : lock.getList(LockFields.WAITING, Long.class, List.of()).size();
    }

    /** Skips the strategy, with the reason, if the server lacks what it needs. */
    @BeforeEach
    final void requireServerForTheStrategy() throws InterruptedException {
        boolean transactions = strategy().traits().contains(Trait.NEEDS_TRANSACTIONS);
        assumeFalse(
                transactions && server().isStandalone(),
                () -> strategy().name() + " needs transactions, which a standalone does not have");
        warmUp();
    }

    /**
     * Runs each command once: the first commands of a JVM are slow, and where time passes by itself, a lease of the
     * first rules would end meanwhile.
     */
    private void warmUp() throws InterruptedException {
        synchronized (WARMED_UP) {
            if (server().timer().isEmpty()
                    && WARMED_UP.add(driver + " " + strategy().name())) {
                DriverClients shared = DriverClients.shared(server().uri());
                try (BlockingLocks locks = driver.build(shared, DATABASE, this::configure)) {
                    locks.tryAcquire(freshName(), LEASE_OF_WARM_UP).ifPresent(BlockingLock::release);
                }
            }
        }
    }

    /** Releases the locks that a test holds, and ends the threads of its clients. */
    @AfterEach
    final void closeClients() {
        clients.forEach(BlockingLocks::close);
    }

    /**
     * Opens a route to the server on which faults can be injected; tests of this contract override it with worse ones.
     *
     * @param retryWrites whether the driver on this route retries writes
     * @return the route
     */
    protected ProxyRoute detour(boolean retryWrites) {
        ProxyRoute route = ProxyRoute.to(server().uri(), retryWrites);
        return IS_STRICT ? new ProxyRoute(route.proxy(), route.connection().strict()) : route;
    }

    /**
     * Builds a client on the driver of this run; tests of this contract override it with broken ones.
     *
     * @param connection the driver's clients
     * @param setup the settings of the client
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    protected BlockingLocks build(DriverClients connection, Driver.Setup setup) throws InterruptedException {
        return driver.build(IS_STRICT ? connection.strict() : connection, DATABASE, setup);
    }

    private MongoDatabase database() {
        return DriverClients.shared(server().uri()).sync().getDatabase(DATABASE);
    }

    private void configure(LockClientBuilder<?> builder) {
        builder.strategy(strategy())
                .collection(collection())
                .polling(FIRST_POLL, MAX_POLL)
                .commandTimeout(AMPLE_LIMIT)
                .skewMargin(skewMargin());
        server().setClocks(builder);
    }

    /** Sets short timeouts, so that rules about permanent faults are checked quickly. */
    private void configureFaulty(LockClientBuilder<?> builder, Duration commandTimeout) {
        configure(builder);
        builder.commandTimeout(commandTimeout)
                .faultRetry(3, FIRST_POLL, FIRST_POLL)
                .closeTimeout(FaultyLocks.CLOSE_TIMEOUT);
    }

    private String collection() {
        return "locks." + strategy().name();
    }

    /**
     * The clock of the embedded server as a JUnit resource, because one rule at a time can move it. Where time passes by
     * itself, rules that wait for the end of a lease run side by side if JUnit is configured to run tests in parallel.
     */
    public static final class OneClock implements ResourceLocksProvider {
        /** Instantiated by JUnit, which is in another module. */
        public OneClock() {}

        @Override
        public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
            return ServerFinder.isConfigured() && !namesItsServer(testClass)
                    ? Set.of()
                    : Set.of(new Lock("mongo-locks contract: the clock of the embedded server"));
        }

        /** Returns whether a class overrides {@code server()}, and may have chosen the embedded server. */
        private static boolean namesItsServer(Class<?> testClass) {
            try {
                return !testClass.getMethod("server").getDeclaringClass().equals(LockContract.class);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(testClass + " is not a " + LockContract.class, e);
            }
        }
    }
}
