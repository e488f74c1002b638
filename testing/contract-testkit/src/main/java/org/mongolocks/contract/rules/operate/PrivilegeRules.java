package org.mongolocks.contract.rules.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.mongolocks.contract.adapter.FullLifecycle;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;

/** Rules OP on privileges: a client needs few. */
public interface PrivilegeRules extends FeatureContext {
    /**
     * Returns the actions that a client needs on the lock documents. A strategy that deletes them adds {@code remove}.
     *
     * @return the actions
     */
    default List<String> actionsOnLocks() {
        return List.of("find", "insert", "update", "changeStream");
    }

    /**
     * Returns the actions that a client needs on the other collections of the strategy.
     *
     * @return the actions
     */
    default List<String> actionsElsewhere() {
        return List.of("find", "insert", "update");
    }

    /**
     * OP-15. On a server with access control every operation works with the documented privileges, and those permit
     * nothing else.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-15")
    default void aLockNeedsFewRights() throws Exception {
        String collection = freshCollection();
        try (LimitedLocks limited = newLimitedLocks(collection, actions(collection))) {
            new FullLifecycle(limited.locks(), server(), hasWaitingLists()).live(limited::isWaiting);

            assertThat(stored(collection).exists()).isTrue();
            assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> limited.drop(collection));
        }
    }

    private Map<String, List<String>> actions(String base) {
        Map<String, List<String>> actions = new TreeMap<>();
        for (LockCollection collection : strategy().schema().collections()) {
            boolean holdsLocks = collection.name().equals(LockSchema.LOCKS);
            actions.put(
                    strategy().schema().resolve(collection.name(), base),
                    new ArrayList<>(holdsLocks ? actionsOnLocks() : actionsElsewhere()));
        }
        return actions;
    }
}
