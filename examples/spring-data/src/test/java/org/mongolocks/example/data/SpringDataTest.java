package org.mongolocks.example.data;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.StaleTokenException;
import org.mongolocks.reactive.ReactiveFencedCollection;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spring.Locked;
import org.mongolocks.sync.LockClient;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.mongodb.autoconfigure.MongoClientSettingsBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.mongodb.ReactiveMongoDatabaseFactory;
import org.springframework.data.mongodb.ReactiveMongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Runs the recipes of docs/spring-data.md and what the page warns of, and checks that it shows them. */
@TestInstance(Lifecycle.PER_CLASS)
class SpringDataTest {
    private static final String LOCKS = "locks.findandmodify-counter";

    private final String database = "spring-data-" + UUID.randomUUID();
    private ConfigurableApplicationContext context;
    private MongoTemplate template;
    private Interleaving interleaving;
    private LockClient locks;
    /** The operator of another process, so that the client of the application does not learn of a forced release. */
    private LockClient operator;

    static class TestBeans {
        @Bean
        Interleaving interleaving() {
            return new Interleaving();
        }

        @Bean
        MongoClientSettingsBuilderCustomizer commandListener(Interleaving interleaving) {
            return settings -> settings.addCommandListener(interleaving);
        }

        @Bean
        UntouchedBookings untouchedBookings(MongoTemplate template) {
            return new UntouchedBookings(template);
        }
    }

    /** The booking of the page without its touch. */
    static class UntouchedBookings {
        private final MongoTemplate template;

        UntouchedBookings(MongoTemplate template) {
            this.template = template;
        }

        @Locked("account-#{#number}")
        @Transactional
        public void book(int number, int amount) {
            int booked = template.findAll(Booking.class).stream()
                    .mapToInt(Booking::amount)
                    .sum();
            int balance = template.findById(number, Account.class).balance();
            if (booked + amount <= balance) {
                template.insert(new Booking(null, number, amount));
            }
        }
    }

    /**
     * An account that counts its changes.
     *
     * @param id its number
     * @param balance its balance
     * @param version the number of changes, null before the first
     */
    record VersionedAccount(
            @Id int id, int balance, @Version @Nullable Long version) {}

    @BeforeAll
    void start() throws InterruptedException {
        String uri = ServerFinder.embedded().uri();
        context = new SpringApplicationBuilder(SpringDataApplication.class, TestBeans.class)
                .run(
                        "--spring.mongodb.uri=" + uri,
                        "--spring.mongodb.database=" + database,
                        "--mongo-locks.database=" + database,
                        "--mongo-locks.default-ttl=10m");
        template = context.getBean(MongoTemplate.class);
        interleaving = context.getBean(Interleaving.class);
        locks = context.getBean(LockClient.class);
        operator = LockClient.builder(DriverClients.shared(uri).sync(), database)
                .drainTimeout(Duration.ZERO)
                .build();
        template.createCollection(Booking.class);
    }

    @BeforeEach
    void writeAccounts() throws InterruptedException {
        template.remove(new Query(), Booking.class);
        template.remove(new Query(), Account.class);
        template.insert(List.of(new Account(1, 100), new Account(2, 0)), Account.class);
    }

    @AfterEach
    void releaseLocks() throws InterruptedException {
        for (LockSnapshot held : operator.list(LockQuery.all().heldOnly()).locks()) {
            operator.forceRelease(held);
        }
    }

    @AfterAll
    void stop() {
        operator.close();
        template.getDb().drop();
        context.close();
    }

    @Test
    void fencedDepositStoresItsToken() throws InterruptedException {
        deposits().deposit(1, 5);

        assertThat(account(1)).containsEntry("balance", 105).containsKey("fence");
    }

    @Test
    void fencedDepositIsRefusedAfterTheNextHolders() {
        interleaving.before("update", "accounts", () -> {
            endLease();
            deposits().deposit(1, 7);
        });

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> deposits().deposit(1, 5));
        assertThat(account(1)).containsEntry("balance", 107);
    }

    @Test
    void savedDepositIsLostIfTheLeaseEnds() throws InterruptedException {
        interleaving.before("update", "accounts", () -> {
            endLease();
            savedDeposit(7);
        });

        savedDeposit(5);

        assertThat(account(1)).containsEntry("balance", 105);
    }

    @Test
    void saveErasesTheFence() throws InterruptedException {
        deposits().deposit(1, 5);

        savedDeposit(1);

        assertThat(account(1)).doesNotContainKey("fence");
    }

    @Test
    void transferIsWrittenAsAWhole() throws InterruptedException {
        transfers().transfer(1, 2, 30);

        assertThat(template.findAll(Account.class)).containsExactly(new Account(1, 70), new Account(2, 30));
        assertThat(booked()).isEqualTo(30);
    }

    @Test
    void transferIsRefusedIfTheLeaseEndedBefore() {
        interleaving.before("findAndModify", LOCKS, () -> interleaving.before("update", LOCKS, this::endLease));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transfers().transfer(1, 2, 30));
        assertThat(template.findAll(Account.class)).containsExactly(new Account(1, 100), new Account(2, 0));
    }

    @Test
    void transferThatHasBegunKeepsTheLock() throws InterruptedException {
        interleaving.before("insert", "bookings", () -> {
            try (LockClient impatient = otherProcess(Duration.ofSeconds(2))) {
                LockSnapshot held = impatient.list(LockQuery.all()).locks().get(0);
                assertThatExceptionOfType(LockException.class).isThrownBy(() -> impatient.forceRelease(held));
            }
        });

        transfers().transfer(1, 2, 30);

        assertThat(booked()).isEqualTo(30);
    }

    @Test
    void transferIsRepeatedAfterAConflict() throws InterruptedException {
        interleaving.before("update", "accounts", () -> template.save(new Account(1, 50)));

        transfers().transfer(1, 2, 30);

        assertThat(template.findAll(Account.class)).containsExactly(new Account(1, 20), new Account(2, 30));
    }

    @Test
    void injectedRepositoryWritesOutsideTheGuardedTransaction() {
        Accounts injected = context.getBean(Accounts.class);

        assertThatIllegalStateException()
                .isThrownBy(() -> locks.callWithLock(
                        "transfers",
                        lock -> lock.inTransaction(session -> {
                            injected.save(new Account(1, 0));
                            throw new IllegalStateException("aborts the transaction");
                        })));
        assertThat(account(1)).containsEntry("balance", 0);
    }

    @Test
    void bookingIsRefusedAfterTheNextHolders() {
        interleaving.before("findAndModify", "accounts", () -> {
            endLease();
            bookings().book(1, 70);
        });

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> bookings().book(1, 60));
        assertThat(booked()).isEqualTo(70);
    }

    /** The lock of the first holder is lost, but its transaction is not: that of the next one conflicts with it. */
    @Test
    void bookingOfTheNextHolderIsRepeatedUntilTheTransactionHasEnded() throws Exception {
        AtomicReference<BackgroundTask<Boolean>> next = new AtomicReference<>();
        CountDownLatch conflict = interleaving.nextFailure();
        interleaving.before("insert", "bookings", () -> {
            endLease();
            next.set(BackgroundTask.run(() -> {
                bookings().book(1, 70);
                return true;
            }));
            assertThat(conflict.await(30, TimeUnit.SECONDS)).isTrue();
        });

        assertThatExceptionOfType(LockLostException.class)
                .as("after the commit")
                .isThrownBy(() -> bookings().book(1, 60));

        assertThatIllegalStateException()
                .isThrownBy(() -> next.get().result())
                .withMessage("Account 1 does not cover 70, booked 60");
        assertThat(booked()).isEqualTo(60);
    }

    @Test
    void bookingsOfBothHoldersAreWrittenWithoutATouch() {
        UntouchedBookings untouched = context.getBean(UntouchedBookings.class);
        interleaving.before("insert", "bookings", () -> {
            endLease();
            untouched.book(1, 70);
        });

        assertThatExceptionOfType(LockLostException.class)
                .as("after the commit")
                .isThrownBy(() -> untouched.book(1, 60));
        assertThat(booked()).isEqualTo(130);
    }

    @Test
    void versionRefusesASaveOfWhatHasChanged() {
        VersionedAccount read = template.insert(new VersionedAccount(1, 100, null));
        template.save(new VersionedAccount(1, 107, read.version()));

        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> template.save(new VersionedAccount(1, 105, read.version())));
    }

    @Test
    void reactiveDepositStoresItsToken() {
        assertThat(reactiveDeposits().deposit(1, 5).block()).isTrue();

        assertThat(account(1)).containsEntry("balance", 105).containsKey("fence");
    }

    @Test
    void reactiveDepositOfAFormerHolderIsRefused() {
        template.getCollection("accounts").updateOne(eq("_id", 1), set("fence", Long.MAX_VALUE));

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> reactiveDeposits().deposit(1, 5).block());
    }

    @Test
    void reactiveTransferIsWrittenAsAWhole() {
        reactiveDeposits().transfer(1, 2, 30).block();

        assertThat(template.findAll(Account.class)).containsExactly(new Account(1, 70), new Account(2, 30));
        assertThat(booked()).isEqualTo(30);
    }

    @Test
    void reactiveTouchJoinsTheTransactionOfSpring() {
        ReactiveMongoTemplate reactive = context.getBean(ReactiveMongoTemplate.class);
        TransactionalOperator transaction = TransactionalOperator.create(
                new ReactiveMongoTransactionManager(context.getBean(ReactiveMongoDatabaseFactory.class)));
        Mono<Document> touched = context.getBean(ReactiveLockClient.class)
                .callWithLock(
                        "account-1",
                        lock -> reactive.getCollection("accounts")
                                .flatMap(accounts -> ReactiveFencedCollection.of(accounts, lock)
                                        .touch(eq("_id", 1)))
                                .delayUntil(account -> Mono.error(new IllegalStateException("aborts the transaction")))
                                .as(transaction::transactional));

        assertThatIllegalStateException().isThrownBy(touched::block);
        assertThat(account(1)).doesNotContainKey("fence");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SpringDataApplication", "Deposits", "Transfers", "Bookings", "ReactiveDeposits"})
    @Tag("finds:spring-data")
    void pageShowsTheRecipe(String name) throws IOException {
        String source = Files.readString(
                Path.of("src", "main", "java", "org", "mongolocks", "example", "data", name + ".java"));
        String recipe = source.substring(source.indexOf("import "));

        assertThat(withoutSpaces(Files.readString(Path.of("..", "..", "docs", "spring-data.md"))))
                .contains(withoutSpaces(recipe));
    }

    /** Line breaks differ between the formatted code and the document. */
    private static String withoutSpaces(String text) {
        return text.replaceAll("\\s", "");
    }

    private void savedDeposit(int amount) throws InterruptedException {
        LockRequest request =
                LockRequest.of("account-1", Duration.ofMinutes(10)).fixedLease();
        locks.tryAcquire(request)
                .ifPresent(lock ->
                        template.save(template.findById(1, Account.class).plus(amount)));
    }

    private LockClient otherProcess(Duration commandTimeout) throws InterruptedException {
        return LockClient.builder(
                        DriverClients.shared(ServerFinder.embedded().uri()).sync(), database)
                .drainTimeout(Duration.ZERO)
                .commandTimeout(commandTimeout)
                .build();
    }

    private void endLease() throws InterruptedException {
        LockSnapshot held = operator.list(LockQuery.all().heldOnly()).locks().get(0);
        assertThat(operator.forceRelease(held)).as("released by force").isTrue();
    }

    private int booked() {
        return template.findAll(Booking.class).stream()
                .mapToInt(Booking::amount)
                .sum();
    }

    private Document account(int number) {
        return template.findById(number, Document.class, "accounts");
    }

    private Deposits deposits() {
        return context.getBean(Deposits.class);
    }

    private Transfers transfers() {
        return context.getBean(Transfers.class);
    }

    private Bookings bookings() {
        return context.getBean(Bookings.class);
    }

    private ReactiveDeposits reactiveDeposits() {
        return context.getBean(ReactiveDeposits.class);
    }
}
