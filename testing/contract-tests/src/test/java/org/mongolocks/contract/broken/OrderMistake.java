package org.mongolocks.contract.broken;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.wait.FairnessRules;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.ServerFinder;

/** A mistake in how a client handles fair requests or deadlines. */
enum OrderMistake implements Mistake {
    /** Takes a ticket, but tries to acquire as soon as no waiter is behind it. */
    SERVES_THE_LAST_WAITER_FIRST {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            String me = UUID.randomUUID().toString();
            Rigged queue = new Rigged(request.name());
            queue.push(me, Integer.MAX_VALUE);
            Optional<BlockingLock> lock = Optional.empty();
            long deadlineNanos = System.nanoTime() + MAX_WAIT_NANOS;
            while (lock.isEmpty() && System.nanoTime() - deadlineNanos < 0) {
                lock = queue.isLast(me) ? locks.tryAcquire(request.name(), request.ttl()) : lock;
            }
            queue.pull(me);
            return lock;
        }
    },
    /** Leaves a ticket in the queue, ahead of the others, when it stops waiting. */
    KEEPS_A_TICKET_WHEN_IT_GIVES_UP {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            try {
                return locks.acquire(request);
            } catch (InterruptedException e) {
                Thread.interrupted();
                new Rigged(request.name()).push("gone", 0);
                throw e;
            }
        }
    },
    /** Leaves a ticket in the queue when it is closed. */
    KEEPS_A_TICKET_WHEN_IT_IS_CLOSED {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            try {
                return locks.acquire(request);
            } catch (ClientClosedException e) {
                new Rigged(request.name()).push("closed", 0);
                throw e;
            }
        }
    },
    /** Does not wait if several waiters are before it, which may all have died. */
    GIVES_UP_BEHIND_OTHERS {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            boolean areSeveral = new Rigged(request.name()).tickets().size() >= FairnessRules.DEAD;
            return areSeveral ? Optional.empty() : locks.acquire(request);
        }
    },
    /** Ignores the queue if it does not wait. */
    IGNORES_THE_QUEUE {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            return locks.acquire(
                    request.waitAtMost().isZero()
                            ? new LockRequest(request.name(), request.ttl(), Duration.ZERO)
                            : request);
        }
    },
    /** Does not remove its ticket. */
    LEAVES_ITS_TICKET {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            Optional<BlockingLock> lock = locks.acquire(request);
            new Rigged(request.name()).push("left", Integer.MAX_VALUE);
            return lock;
        }
    },
    /** Takes a second ticket after a fault. */
    TAKES_TWO_TICKETS {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            new Rigged(request.name()).push("twice", Integer.MAX_VALUE);
            return locks.acquire(request);
        }
    },
    /** Returns after twice the time. */
    WAITS_TWICE_AS_LONG {
        @Override
        Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException {
            try {
                return locks.acquire(request);
            } catch (LockException e) {
                return locks.acquire(request);
            }
        }
    };

    /** A waiter that never becomes the head stops polling, so that it disturbs no later rule. */
    private static final long MAX_WAIT_NANOS = Duration.ofSeconds(5).toNanos();

    abstract Optional<BlockingLock> acquire(BlockingLocks locks, LockRequest request) throws InterruptedException;

    @Override
    public BlockingLocks in(BlockingLocks locks) {
        return new ForwardingLocks(locks) {
            /** Requests without a queue or a wait are handled correctly. */
            @Override
            public Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException {
                boolean isPlain = !request.isFair() && request.waitAtMost().isZero();
                return isPlain ? super.acquire(request) : OrderMistake.this.acquire(locks, request);
            }
        };
    }

    /** A queue of the mutated contract, into which anyone can write. */
    private record Rigged(LockName name) {
        private static final long YEAR_3000 = 32_503_680_000_000L;

        void push(String owner, int position) {
            Document ticket =
                    new Document("owner", owner).append("ttlMs", 100_000L).append("until", new BsonDateTime(YEAR_3000));
            Document each = new Document("$each", List.of(ticket)).append("$position", position);
            collection()
                    .updateOne(
                            id(),
                            new Document("$push", new Document("tickets", each)),
                            new UpdateOptions().upsert(true));
        }

        void pull(String owner) {
            Document ticket = new Document("tickets", new Document("owner", owner));
            collection().updateOne(id(), new Document("$pull", ticket));
        }

        boolean isLast(String owner) {
            List<Document> tickets = tickets();
            return !tickets.isEmpty()
                    && tickets.get(tickets.size() - 1).getString("owner").equals(owner);
        }

        List<Document> tickets() {
            Document queue = collection().find(id()).first();
            return queue == null ? List.of() : queue.getList("tickets", Document.class);
        }

        private Document id() {
            return new Document("_id", name.value());
        }

        private static MongoCollection<Document> collection() {
            return DriverClients.shared(ServerFinder.embedded().uri())
                    .sync()
                    .getDatabase(LockContract.DATABASE)
                    .getCollection("locks.findandmodify-counter.queue");
        }
    }
}
