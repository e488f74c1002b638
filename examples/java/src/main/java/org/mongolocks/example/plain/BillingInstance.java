package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.mongolocks.Fence;
import org.mongolocks.LockRequest;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** One instance of the application, with a lock client and threads of its own; usually it is a process. */
final class BillingInstance implements AutoCloseable {
    static final String INVOICES = "invoices";
    static final String CHARGES = "charges";
    static final String REPORTS = "reports";

    /** How soon another instance can go on after a crash. Keep-alive renews the lease, however long the work takes. */
    private static final Duration TTL = Duration.ofSeconds(10);

    private static final int THREADS = 2;
    private static final int PAUSE_MILLIS = 50;

    private final String name;
    private final LockClient locks;
    private final LeaderElection election;
    private final MongoCollection<Document> invoices;
    private final MongoCollection<Document> charges;
    private final MongoCollection<Document> reports;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final List<Future<?>> tasks = new ArrayList<>();

    private BillingInstance(String name, LockClient locks, MongoDatabase database) {
        this.name = name;
        this.locks = locks;
        this.election = LeaderElection.with(locks);
        this.invoices = database.getCollection(INVOICES);
        this.charges = database.getCollection(CHARGES);
        this.reports = database.getCollection(REPORTS);
    }

    static BillingInstance start(String name, MongoClient mongo) throws InterruptedException {
        LockClient locks = LockClient.builder(mongo, BillingExample.DATABASE)
                .strategy("findandmodify-counter")
                .instance(name)
                .build();
        BillingInstance instance = new BillingInstance(name, locks, mongo.getDatabase(BillingExample.DATABASE));
        instance.begin();
        return instance;
    }

    private void begin() {
        election.lead(Candidate.of("billing-report", TTL).id(name), this::report);
        for (int thread = 0; thread < THREADS; thread++) {
            tasks.add(threads.submit(this::billOpenInvoices));
        }
    }

    private Void billOpenInvoices() throws InterruptedException {
        Optional<Integer> next = anyOpenInvoice();
        while (next.isPresent()) {
            int number = next.get();
            LockRequest request = LockRequest.of("invoice-" + number, TTL);
            if (!locks.tryWithLock(request, lock -> bill(number, lock))) {
                // another instance bills it
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            next = anyOpenInvoice();
        }
        return null;
    }

    private Optional<Integer> anyOpenInvoice() {
        List<Integer> open = invoices.find(eq("state", "open"))
                .map(invoice -> invoice.getInteger("_id"))
                .into(new ArrayList<>());
        return open.isEmpty()
                ? Optional.empty()
                : Optional.of(open.get(ThreadLocalRandom.current().nextInt(open.size())));
    }

    /**
     * Bills an invoice, unless another instance has billed it between the search and the grant. From the touch on,
     * the invoice refuses writes of an instance that has lost the lock without detecting it.
     */
    private void bill(int number, HeldLock lock) {
        FencedCollection<Document> fenced = FencedCollection.of(invoices, lock);
        Document invoice = fenced.touch(eq("_id", number)).orElseThrow();
        if (!invoice.getString("state").equals("open")) {
            return;
        }
        // A payment outside of the database needs the number of the invoice as its key, so that a repetition is
        // harmless.
        charges.insertOne(new Document("invoice", number).append("amount", invoice.getInteger("amount")));
        boolean written = fenced.update(eq("_id", number), combine(set("state", "billed"), set("billedBy", name)));
        if (!written) {
            throw new IllegalStateException("Invoice " + number + " was deleted while it was billed");
        }
    }

    /** Leads: reports the progress until the term ends. The report refuses the token of an earlier leader. */
    private void report(Term term) throws InterruptedException {
        FencedCollection<Document> fenced = FencedCollection.of(reports, Fence.of(term.fencingToken()));
        try {
            fenced.touchOrCreate(eq("_id", "today"), new Document("billed", 0L));
            while (term.isLeading()) {
                long billed = invoices.countDocuments(eq("state", "billed"));
                fenced.update(eq("_id", "today"), combine(set("billed", billed), set("leader", name)));
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (MongoInterruptedException e) {
            // The interrupt at the end of the term came during a command.
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until no invoice is open, and the leader has reported that. */
    void awaitEnd() throws InterruptedException {
        for (Future<?> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("Instance " + name + " could not bill", e.getCause());
            }
        }
        while (reports.countDocuments(eq("billed", (long) BillingExample.INVOICES)) == 0) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Ends the term and the work before the locks. */
    @Override
    public void close() {
        threads.shutdownNow();
        election.close();
        locks.close();
    }
}
