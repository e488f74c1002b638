package org.mongolocks.example.migrations.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockQuery;
import org.mongolocks.example.migrations.Shop;
import org.mongolocks.sync.LockClient;

/** What replaces the other locks of Redisson. */
class NewAccountsTest extends Shop {
    @Test
    void eachUseHasItsLocks() throws InterruptedException {
        LockClient locks = lockClient();
        NewAccounts accounts = new NewAccounts(locks);
        List<Object> seen = new ArrayList<>();

        accounts.deposit(seen::add);
        accounts.deposit(seen::add);
        assertThat(accounts.transfer(() -> seen.addAll(held(locks)))).isTrue();
        accounts.report(() -> seen.addAll(held(locks)));

        assertThat(seen).containsExactly(1L, 2L, "account-3", "account-7", "report");
    }

    private static List<String> held(LockClient locks) {
        return locks.list(LockQuery.all().heldOnly()).locks().stream()
                .map(lock -> lock.name().value())
                .toList();
    }
}
