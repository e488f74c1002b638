package org.mongolocks.benchmarks.lock;

import io.mongock.driver.core.lock.LockEntry;
import io.mongock.driver.core.lock.LockPersistenceException;
import io.mongock.driver.core.lock.LockRepository;
import io.mongock.driver.core.lock.LockStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;

/**
 * A repository for the single lock of mongock under another name.
 *
 * @param repository the repository of all locks
 * @param name the name of this lock
 */
record NamedMongockLock(LockRepository repository, String name) implements LockRepository {
    /**
     * Makes one attempt to acquire the lock.
     *
     * @return an action that releases the lock, or empty if another owner holds it
     */
    Optional<Runnable> tryOnce(Duration ttl) {
        String owner = UUID.randomUUID().toString();
        try {
            repository.insertUpdate(new LockEntry(
                    name,
                    LockStatus.LOCK_HELD.name(),
                    owner,
                    Date.from(Instant.now().plus(ttl))));
            return Optional.of(() -> repository.removeByKeyAndOwner(name, owner));
        } catch (LockPersistenceException e) {
            return Optional.empty();
        }
    }

    @Override
    public void insertUpdate(LockEntry lock) {
        repository.insertUpdate(named(lock));
    }

    @Override
    public void updateIfSameOwner(LockEntry lock) {
        repository.updateIfSameOwner(named(lock));
    }

    @Override
    public LockEntry findByKey(String key) {
        return repository.findByKey(name);
    }

    @Override
    public void removeByKeyAndOwner(String key, String owner) {
        repository.removeByKeyAndOwner(name, owner);
    }

    @Override
    public void deleteAll() {
        repository.deleteAll();
    }

    @Override
    public void initialize() {
        repository.initialize();
    }

    @Override
    public void setIndexCreation(boolean indexCreation) {
        repository.setIndexCreation(indexCreation);
    }

    private LockEntry named(LockEntry lock) {
        return new LockEntry(name, lock.getStatus(), lock.getOwner(), lock.getExpiresAt());
    }
}
