package org.mongolocks.contract.rules;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.contract.setup.RawCollection;

/** The context of rules about operators: collections of their own, and access to the documents in them. */
public interface OperatorContext extends ContractContext {
    /**
     * Builds a client with other settings.
     *
     * @param setup changes the common settings of the clients
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newLocks(Consumer<LockClientBuilder<?>> setup) throws InterruptedException;

    /**
     * Builds a client whose user has no other privileges, or skips the test where there is no access control.
     *
     * @param collection the collection of the locks
     * @param actions the actions on each collection
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    LimitedLocks newLimitedLocks(String collection, Map<String, List<String>> actions) throws InterruptedException;

    /**
     * Returns a collection as it is stored.
     *
     * @param collection its name
     * @return the collection
     */
    RawCollection stored(String collection);

    /**
     * Returns a name that no other collection has.
     *
     * @return the name of a collection that does not exist
     */
    default String freshCollection() {
        return "operators-" + UUID.randomUUID();
    }
}
