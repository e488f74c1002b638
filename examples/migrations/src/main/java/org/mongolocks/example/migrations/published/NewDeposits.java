package org.mongolocks.example.migrations.published;

import org.bson.Document;
import org.mongolocks.sync.OptimisticCollection;

final class NewDeposits {
    private final OptimisticCollection<Document> accounts;

    NewDeposits(OptimisticCollection<Document> accounts) {
        this.accounts = accounts;
    }

    // begin
    boolean deposit(int number, int amount) {
        return accounts.update(number, account -> account.append("balance", account.getInteger("balance") + amount))
                .isPresent();
    }
    // end
}
