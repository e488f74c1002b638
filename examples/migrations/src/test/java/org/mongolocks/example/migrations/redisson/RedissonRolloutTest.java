package org.mongolocks.example.migrations.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.mongolocks.example.migrations.Rollout;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** From Redisson, on the Redis that the variable names. Its keys of these tests are deleted. */
@EnabledIfEnvironmentVariable(
        named = RedissonRolloutTest.VARIABLE,
        matches = "redis.*",
        disabledReason = RedissonRolloutTest.VARIABLE + " names no server; set it to an address such as"
                + " redis://localhost:6379")
class RedissonRolloutTest extends Rollout {
    static final String VARIABLE = "MONGO_LOCKS_REDIS";
    private static final String INVOICE = "invoice-42";

    @Override
    protected Instance oldRelease() {
        OldBilling billing = new OldBilling(redisson());
        return work -> billing.bill(INVOICE, work);
    }

    @Override
    protected Instance bothLocksRelease() throws InterruptedException {
        BothLocksBilling billing = new BothLocksBilling(redisson(), lockClient());
        return work -> billing.bill(INVOICE, work);
    }

    @Override
    protected Instance newRelease() throws InterruptedException {
        NewBilling billing = new NewBilling(lockClient());
        return work -> billing.bill(INVOICE, work);
    }

    @Test
    void otherLocksOfRedissonRun() throws InterruptedException {
        OldAccounts accounts = new OldAccounts(redisson());
        AtomicLong token = new AtomicLong();
        AtomicInteger runs = new AtomicInteger();

        accounts.deposit(token::set);
        accounts.report(runs::incrementAndGet);

        assertThat(accounts.transfer(runs::incrementAndGet)).isTrue();
        assertThat(token).hasPositiveValue();
        assertThat(runs).hasValue(2);
    }

    private RedissonClient redisson() {
        Config config = new Config();
        config.useSingleServer().setAddress(System.getenv(VARIABLE));
        RedissonClient client = Redisson.create(config);
        opened(client::shutdown);
        return client;
    }
}
