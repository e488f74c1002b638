package org.mongolocks.example.migrations.published;

import java.util.Optional;
import org.bson.BsonInt32;
import org.mongolocks.strategy.optimisticversion.OptimisticUpdate;
import org.mongolocks.strategy.optimisticversion.UpdateOutcome;
import org.mongolocks.sync.ProgramRunner;

final class NewDeposits {
    private final ProgramRunner runner;

    /** Takes {@code ProgramRunner.on(mongo, "shop")}. */
    NewDeposits(ProgramRunner runner) {
        this.runner = runner;
    }

    // begin
    boolean deposit(int number, int amount) {
        OptimisticUpdate update = OptimisticUpdate.of("accounts", new BsonInt32(number), account -> {
            int balance = account.getInt32("balance").getValue() + amount;
            return Optional.of(account.append("balance", new BsonInt32(balance)));
        });
        return runner.run(update::program) instanceof UpdateOutcome.Updated;
    }
    // end
}
