package org.mongolocks.example.invoices;

import java.time.Duration;
import java.util.List;
import org.mongolocks.LockQuery;
import org.mongolocks.LockSnapshot;
import org.mongolocks.example.invoices.Invoices.Invoice;
import org.mongolocks.sync.LockClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The data of the page, and its buttons. */
@RestController
final class StatusController {
    private static final int AT_A_TIME = 6;
    /** The exit code of a process that was ended by SIGKILL. */
    private static final int KILLED = 137;

    private final Invoices invoices;
    private final LockClient locks;
    private final String instance;

    StatusController(Invoices invoices, LockClient locks, @Value("${invoices.instance}") String instance) {
        this.invoices = invoices;
        this.locks = locks;
        this.instance = instance;
    }

    /**
     * What the page shows.
     *
     * @param instance the instance that replies
     * @param pid its process
     * @param locks the locks that are held by any instance
     * @param invoices all invoices, the newest first
     */
    record Status(String instance, long pid, List<Held> locks, List<Invoice> invoices) {}

    /**
     * A held lock.
     *
     * @param invoice the invoice that it guards
     * @param instance the instance that holds it
     * @param pid the process of that instance
     * @param token the fencing token
     * @param remainingMillis how much of the lease is left; it grows when the lease is renewed
     */
    record Held(String invoice, String instance, long pid, long token, long remainingMillis) {
        static Held of(LockSnapshot lock) {
            return new Held(
                    lock.name().toString().substring(Billing.LOCK_PREFIX.length()),
                    lock.holderInfo().note().orElse(""),
                    lock.holderInfo().processId().orElse(0),
                    lock.fencingToken(),
                    lock.remaining().orElse(Duration.ZERO).toMillis());
        }
    }

    @GetMapping("/api/status")
    Status status() throws InterruptedException {
        List<Held> held = locks.list(LockQuery.all().prefix(Billing.LOCK_PREFIX).heldOnly()).locks().stream()
                .map(Held::of)
                .toList();
        return new Status(instance, ProcessHandle.current().pid(), held, invoices.all());
    }

    @PostMapping("/api/invoices")
    void add() {
        invoices.add(AT_A_TIME);
    }

    /** Ends this process at once, as a crash does: it releases nothing, and sends no reply. */
    @PostMapping("/api/crash")
    void crash() {
        Runtime.getRuntime().halt(KILLED);
    }
}
