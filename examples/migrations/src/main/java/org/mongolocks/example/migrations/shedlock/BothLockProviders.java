package org.mongolocks.example.migrations.shedlock;

import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** Runs a task only with the lock of both providers. The first is always the one that the old release has. */
record BothLockProviders(ExtensibleLockProvider first, ExtensibleLockProvider second)
        implements ExtensibleLockProvider {
    @Override
    public Optional<SimpleLock> lock(LockConfiguration task) {
        return first.lock(task).flatMap(outer -> {
            Optional<SimpleLock> inner = Optional.empty();
            try {
                inner = second.lock(task);
            } finally {
                if (inner.isEmpty()) {
                    outer.unlock();
                }
            }
            return inner.map(lock -> new BothLocks(task, outer, lock));
        });
    }

    private static final class BothLocks extends AbstractSimpleLock {
        private final SimpleLock outer;
        private final SimpleLock inner;

        BothLocks(LockConfiguration task, SimpleLock outer, SimpleLock inner) {
            super(task);
            this.outer = outer;
            this.inner = inner;
        }

        @Override
        protected void doUnlock() {
            try {
                inner.unlock();
            } finally {
                outer.unlock();
            }
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
            return outer.extend(longer.getLockAtMostFor(), longer.getLockAtLeastFor())
                    .flatMap(first -> extendInner(longer, first));
        }

        private Optional<SimpleLock> extendInner(LockConfiguration longer, SimpleLock first) {
            Optional<SimpleLock> second = Optional.empty();
            try {
                second = inner.extend(longer.getLockAtMostFor(), longer.getLockAtLeastFor());
            } finally {
                if (second.isEmpty()) {
                    first.unlock();
                }
            }
            return second.map(lock -> new BothLocks(longer, first, lock));
        }
    }
}
