package org.mongolocks.example.migrations.redisson;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.sync.LockClient;

final class NewAccounts {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final LockClient locks;

    NewAccounts(LockClient locks) {
        this.locks = locks;
    }

    // begin
    void deposit(LongConsumer work) throws InterruptedException {
        LockRequest request = locks.request("account-7").waitAtMost(LockRequest.MAX_WAIT);
        locks.withLock(request, lock -> work.accept(lock.fencingToken()));
    }

    boolean transfer(Runnable work) throws InterruptedException {
        MultiLockRequest both =
                MultiLockRequest.of(List.of("account-3", "account-7"), TTL).waitAtMost(Duration.ofSeconds(10));
        return locks.tryWithLocks(both, held -> work.run());
    }

    void report(Runnable work) throws InterruptedException {
        LockRequest request = LockRequest.of("report", Duration.ofMinutes(2))
                .fixedLease()
                .waitAtMost(LockRequest.MAX_WAIT)
                .fair();
        locks.withLock(request, lock -> work.run());
    }
    // end
}
