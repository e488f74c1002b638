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

        assertThat(seen).doesNotHaveDuplicates().hasSize(5);
        assertThat(seen.subList(0, 2)).allSatisfy(token -> assertThat(token).isInstanceOf(Long.class));
        assertThat(seen.subList(2, 5)).containsExactly("account-3", "account-7", "report");
    }

    private static List<String> held(LockClient locks) {
        return locks.list(LockQuery.all().heldOnly()).locks().stream()
                .map(lock -> lock.name().value())
                .toList();
    }
}
