package org.mongolocks.example.invoices;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The work of an instance: it bills open invoices, one at a time, each under a lock of its own. It begins when the
 * application has started, and ends before the lock client is closed.
 */
final class Billing implements SmartLifecycle {
    static final String LOCK_PREFIX = "invoice-";
    /** How soon another instance can bill the invoice of an instance that has crashed. */
    static final Duration TTL = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(Billing.class);
    private static final int IDLE_MILLIS = 200;

    private final Invoices invoices;
    private final LockClient locks;
    private final String instance;
    private final Duration work;
    private final Thread thread = new Thread(this::run, "billing");

    Billing(Invoices invoices, LockClient locks, String instance, Duration work) {
        this.invoices = invoices;
        this.locks = locks;
        this.instance = instance;
        this.work = work;
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void stop() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                if (!billAny()) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether there may be more to do at once. */
    private boolean billAny() throws InterruptedException {
        try {
            Optional<String> open = invoices.anyOpen();
            return open.isPresent() && billOnce(open.get());
        } catch (LockException | MongoException e) {
            LOG.warn("Billing failed and is repeated", e);
            return false;
        }
    }

    /** Returns false if another instance bills this invoice. */
    private boolean billOnce(String id) throws InterruptedException {
        LockRequest request = LockRequest.of(LOCK_PREFIX + id, TTL).note(instance);
        return locks.tryWithLock(request, lock -> bill(id, lock));
    }

    /** The invoice may have been billed between the search and the grant, so its state is read under the lock. */
    private void bill(String id, HeldLock lock) throws InterruptedException {
        Invoices.Fenced fenced = invoices.fencedBy(lock);
        if (fenced.begin(id)) {
            TimeUnit.MILLISECONDS.sleep(work.toMillis());
            fenced.bill(id, instance);
        }
    }
}
