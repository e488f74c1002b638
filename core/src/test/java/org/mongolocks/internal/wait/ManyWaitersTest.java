package org.mongolocks.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.acquire.GrantAcquisitions;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.ReleaseEvents.Numbers;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.AcquireContext.LastKnownState;
import org.mongolocks.spi.AcquireContext.Waiter.Entry;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.LockStrategy.Turn;
import org.mongolocks.spi.Step;

/** Threads of several clients that acquire one lock, give up or are interrupted at random, in virtual time. */
class ManyWaitersTest {
    private static final int CLIENTS = 4;
    private static final int THREADS = 4;
    private static final int ROUNDS = 40;
    /** One that is far back polls twice a second while its stream is broken; and some messages. */
    private static final Duration MAX_UNCLAIMED = Duration.ofMillis(550);

    private final Lab lab = new Lab();
    private final long startNanos = lab.time.nanoTime();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.comparingLong((Task task) -> task.atNanos).thenComparing(task -> task.number));
    private final List<Client> clients = new ArrayList<>();
    private int numbers;
    private int grants;
    private Random random = new Random();

    // The lock document.
    private Optional<Owner> holder = Optional.empty();
    private final List<Long> list = new ArrayList<>();
    private long revision;
    private long freeSinceNanos;
    private int living;
    private long awaitedSinceNanos;
    private Duration longestUnclaimed = Duration.ZERO;

    private record Task(long atNanos, int number, Runnable action) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void lockIsNeverLeftUnclaimedAndNoEntryStays(long seed) {
        random = new Random(seed);
        for (int number = 0; number < CLIENTS; number++) {
            clients.add(new Client());
        }
        clients.forEach(client -> {
            for (int thread = 0; thread < THREADS; thread++) {
                client.next(ROUNDS);
            }
        });

        while (!tasks.isEmpty()) {
            Task next = tasks.remove();
            lab.time.advance(Duration.ofNanos(Math.max(0, next.atNanos - now())));
            next.action.run();
        }

        assertThat(grants).as("grants of seed " + seed).isGreaterThan(CLIENTS * THREADS * ROUNDS / 4);
        assertThat(longestUnclaimed).as("unclaimed in seed " + seed).isLessThan(MAX_UNCLAIMED);
        assertThat(list).as("list of seed " + seed).isEmpty();
        assertThat(clients).as("seed " + seed).allMatch(client -> client.queues.isEmpty());
    }

    private long now() {
        return lab.time.nanoTime() - startNanos;
    }

    private void later(Duration delay, Runnable action) {
        tasks.add(new Task(now() + delay.toNanos(), numbers++, action));
    }

    private Duration message() {
        return Duration.ofMillis(1 + random.nextInt(4));
    }

    private Duration upTo(int millis) {
        return Duration.ofMillis(1 + random.nextInt(millis));
    }

    /** Returns a program that executes a command between two messages. */
    private <R> Step<R> command(Supplier<R> execution) {
        return new Step.Pause<>(message(), () -> {
            R reply = execution.get();
            return new Step.Pause<>(message(), () -> Step.done(reply));
        });
    }

    private void recordUnclaimed() {
        Duration unclaimed = Duration.ofNanos(now() - Math.max(freeSinceNanos, awaitedSinceNanos));
        longestUnclaimed = unclaimed.compareTo(longestUnclaimed) > 0 ? unclaimed : longestUnclaimed;
    }

    private LockOutcome acquire(AcquireContext context) {
        Optional<Long> number = context.waiter().map(AcquireContext.Waiter::number);
        int position = number.filter(list::contains).map(list::indexOf).orElse(list.size());
        Duration freeFor = Duration.ofNanos(now() - freeSinceNanos);
        boolean isTurn =
                holder.isEmpty() && Turn.ofFree(position, freeFor).after().isZero();
        if (isTurn) {
            recordUnclaimed();
            holder = Optional.of(context.owner());
            revision++;
            grants++;
            list.subList(0, Math.min(list.size(), position + 1)).clear();
            return new LockOutcome.Acquired(context.acquired(revision).lease(), list.size(), freeFor);
        }
        context.waiter().ifPresent(waiter -> {
            if (waiter.unlessAcquired() == Entry.ADD && !list.contains(waiter.number())) {
                list.add(waiter.number());
            } else if (waiter.unlessAcquired() == Entry.REMOVE) {
                remove(waiter.number());
            }
        });
        return seen(number.orElse(-1L));
    }

    private void remove(long number) {
        boolean wasFirst = !list.isEmpty() && list.get(0) == number;
        list.remove(number);
        if (holder.isEmpty() && wasFirst) {
            notifyWaiters(0);
        }
    }

    private LockOutcome.Contended seen(long number) {
        Duration left = Lab.TTL;
        LockSnapshot lock = LockSnapshot.of(Lab.NAME, holder.map(Owner::stored), revision, revision)
                .lease(Lab.TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(holder.isPresent() ? left : Duration.ZERO))
                .waiters(list.size());
        int position = list.indexOf(number);
        Turn turn = holder.isPresent()
                ? Turn.ofHeld(position, left)
                : Turn.ofFree(position, Duration.ofNanos(now() - freeSinceNanos));
        return new LockOutcome.Contended(lock, position < 0 ? Optional.empty() : Optional.of(turn));
    }

    private boolean release(Owner owner) {
        if (!holder.equals(Optional.of(owner))) {
            return false;
        }
        holder = Optional.empty();
        revision++;
        freeSinceNanos = now();
        notifyWaiters(revision);
        return true;
    }

    private void notifyWaiters(long shownRevision) {
        Long[] turn = list.stream().limit(LockStrategy.NOTIFIED_WAITERS).toArray(Long[]::new);
        clients.stream()
                .filter(client -> Stream.of(turn).anyMatch(client::hasNumber))
                .forEach(client -> client.notifyOf(shownRevision, turn));
    }

    private final class Client extends FakeStrategy {
        private final ScriptedFeed feed = new ScriptedFeed();
        private final ClientSettings settings;
        private final WaiterQueues queues;
        private int openStream;

        Client() {
            listing();
            lab.poll = Duration.ofMillis(20);
            lab.instance = "client-" + clients.size();
            settings = lab.settings(this);
            queues = Lab.queues(settings, this::open);
            failLater();
        }

        private ChangeFeed.Subscription open(List<BsonDocument> pipeline, ChangeFeed.Listener listener) {
            ChangeFeed.Subscription opened = feed.open(pipeline, listener);
            int stream = feed.opened();
            later(message(), () -> {
                openStream = stream;
                listener.opened();
            });
            return opened;
        }

        private void failLater() {
            later(upTo(2_000), () -> {
                if (openStream > 0) {
                    openStream = 0;
                    feed.fails(new MongoException("gone"));
                }
                if (living > 0) {
                    failLater();
                }
            });
        }

        private boolean hasNumber(long number) {
            return number / Numbers.COUNT == queues.numbers().orElseThrow().first() / Numbers.COUNT;
        }

        /** Delivers an event, unless the stream ends before. */
        private void notifyOf(long shownRevision, Long... turn) {
            int stream = openStream;
            later(message(), () -> {
                if (stream > 0 && stream == openStream) {
                    feed.tellsOfTurn("a", shownRevision, turn);
                }
            });
        }

        @Override
        public Step<LockOutcome> acquire(AcquireContext context) {
            return context.waiter().isEmpty() && context.lastSeen() == LastKnownState.HELD
                    ? command(() -> holder.isPresent() ? seen(-1) : ManyWaitersTest.this.acquire(context))
                    : command(() -> ManyWaitersTest.this.acquire(context));
        }

        @Override
        public Step<Boolean> unregister(LockName name, long number) {
            return command(() -> {
                remove(number);
                return true;
            });
        }

        @Override
        public Step<Boolean> release(LockName name, Owner owner, OptionalLong token) {
            return command(() -> ManyWaitersTest.this.release(owner));
        }

        @Override
        public Step<Optional<LockOutcome.Contended>> look(LockName name, long number) {
            return command(() -> Optional.of(seen(number)));
        }

        void next(int rounds) {
            if (rounds > 0) {
                later(upTo(50), () -> new Run(this, rounds));
            }
        }
    }

    /** One acquisition, which ends by a grant, at its deadline or by an interrupt. */
    private final class Run {
        private final Client client;
        private final int rounds;
        private final Owner owner;
        private final GrantAcquisition acquisition;
        private boolean isOver;

        Run(Client client, int rounds) {
            this.client = client;
            this.rounds = rounds;
            owner = new Owner(client.settings.instance(), new UUID(0, ++numbers));
            LockRequest request = Lab.request(random.nextInt(3) == 0 ? upTo(300) : Duration.ofMinutes(1));
            acquisition = GrantAcquisitions.of(
                    client.settings, random.nextBoolean() ? request.fair() : request, owner, client.queues);
            awaitedSinceNanos = living++ == 0 ? now() : awaitedSinceNanos;
            go(acquisition.start(), this::ended, () -> !isOver);
            if (random.nextInt(3) == 0) {
                later(upTo(300), this::interrupt);
            }
        }

        private <R> void go(Step<R> step, Consumer<R> end) {
            go(step, end, () -> true);
        }

        private <R> void go(Step<R> step, Consumer<R> end, BooleanSupplier mayContinue) {
            if (step instanceof Step.Done<R> done) {
                end.accept(done.result());
            } else if (step instanceof Step.Pause<R> pause) {
                Runnable once = once(() -> {
                    if (mayContinue.getAsBoolean()) {
                        go(pause.then().get(), end, mayContinue);
                    }
                });
                later(pause.delay(), once);
                pause.wakeUp().ifPresent(signal -> {
                    CompletableFuture<Void> unused = signal.thenRun(() -> later(Duration.ZERO, once));
                });
            } else {
                throw new AssertionError(step);
            }
        }

        private Runnable once(Runnable action) {
            boolean[] isDone = {false};
            return () -> {
                if (!isDone[0]) {
                    isDone[0] = true;
                    action.run();
                }
            };
        }

        private void ended(LockOutcome outcome) {
            isOver = true;
            end();
            if (outcome instanceof LockOutcome.Acquired grant) {
                later(
                        random.nextInt(20) == 0 ? upTo(1_000) : upTo(10),
                        () -> go(
                                client.queues.notifyingWaiters(
                                        Lab.NAME,
                                        client.release(
                                                Lab.NAME,
                                                owner,
                                                OptionalLong.of(grant.lease().fencingToken()))),
                                released -> client.next(rounds - 1)));
            } else {
                client.next(rounds - 1);
            }
        }

        private void interrupt() {
            if (isOver) {
                return;
            }
            isOver = true;
            if (acquisition.needsCompensation()) {
                go(acquisition.compensate(), done -> end());
            } else {
                end();
            }
            client.next(rounds - 1);
        }

        private void end() {
            living--;
            acquisition.close();
        }
    }
}
