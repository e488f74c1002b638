package org.mongolocks.example.data;

import static com.mongodb.client.model.Filters.eq;
import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import com.mongodb.MongoException;
import java.lang.reflect.Method;
import org.bson.Document;
import org.mongolocks.spring.CurrentLock;
import org.mongolocks.spring.Locked;
import org.mongolocks.sync.FencedCollection;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Inserts under a lock, in a transaction of Spring. */
@Service
class Bookings {
    private final MongoTemplate template;

    Bookings(MongoTemplate template) {
        this.template = template;
    }

    @Retryable(predicate = TransactionConflict.class, maxRetries = 20, delay = 100, jitter = 50)
    @Locked("account-#{#number}")
    @Transactional
    public void book(int number, int amount) {
        Document account = FencedCollection.of(template.getCollection("accounts"), CurrentLock.get())
                .touch(eq("_id", number)) // the first operation of the transaction
                .orElseThrow();
        int booked = template.find(query(where("account").is(number)), Booking.class).stream()
                .mapToInt(Booking::amount)
                .sum();
        if (booked + amount > account.getInteger("balance")) {
            throw new IllegalStateException("Account " + number + " does not cover " + amount + ", booked " + booked);
        }
        template.insert(new Booking(null, number, amount));
    }

    /** A conflict with a transaction that another holder has not ended yet, whatever exception Spring translated it to. */
    static final class TransactionConflict implements MethodRetryPredicate {
        @Override
        public boolean shouldRetry(Method method, Throwable thrown) {
            return NestedExceptionUtils.getMostSpecificCause(thrown) instanceof MongoException e
                    && e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        }
    }
}
