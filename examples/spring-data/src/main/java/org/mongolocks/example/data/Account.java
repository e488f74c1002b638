package org.mongolocks.example.data;

import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An account.
 *
 * @param id its number
 * @param balance its balance
 */
@Document("accounts")
record Account(@Id int id, int balance) {
    Account plus(int amount) {
        return new Account(id, balance + amount);
    }
}
