package org.mongolocks.kotlin

import java.lang.System.Logger.Level.WARNING
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.future.await
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.withContext
import org.mongolocks.ClientClosedException
import org.mongolocks.LockException
import org.mongolocks.LockLostException
import org.mongolocks.LockName
import org.mongolocks.LockRequest
import org.mongolocks.reactive.ReactiveHeldLock
import org.mongolocks.reactive.ReactiveLockClient
import reactor.core.publisher.BaseSubscriber
import reactor.core.publisher.Mono

/**
 * The locks of a [ReactiveLockClient], for coroutines. No function blocks a thread.
 *
 * ```kotlin
 * val locks = SuspendingLockClient(client)
 * val receipt = locks.withLock("a") { lock -> bill(lock.fencingToken()) } // throws if another owner holds the lock
 * val printed = locks.tryWithLock("a") { lock -> print(lock.fencingToken()) } // null if another owner holds the lock
 * ```
 *
 * A lock belongs to a handle, not to a thread or a coroutine: coroutines on one thread exclude each other, and work may
 * change its thread. Locks are not re-entrant: to request, in a block or its children, a lock that guards it throws
 * [IllegalStateException] instead of waiting for itself. Blocks keep the context of their caller: a flow may emit there.
 *
 * A class of its own, because the members of the reactive client, which return a `Mono`, have the same names and
 * would be called instead of extension functions. Thread-safe.
 *
 * @property client the reactive client; the caller closes it
 */
public class SuspendingLockClient(public val client: ReactiveLockClient) {

    /**
     * Runs a block under a lock, and releases the lock in every case, after the block and its children have ended, also
     * when the coroutine is cancelled. If the lock is lost the block is cancelled. Under a
     * [fixed lease][LockRequest.fixedLease] the block should take much less than the ttl, or renew the lock.
     *
     * A block without suspension points is not cancelled by a loss: check [ReactiveHeldLock.isHeld] in long loops, and
     * write with the fencing token. A release that fails after a block that was done in time is logged; the lock stays
     * held until its ttl has passed.
     *
     * @param request the lock, the ttl and the wait
     * @param block the work; its receiver is a scope whose children are part of the work
     * @return the result of the block
     * @throws org.mongolocks.LockContendedException if another owner held the lock all the time and nothing was done;
     *   its message names the holder
     * @throws LockLostException if the lock was lost before the end of the block
     * @throws LockException as [acquire] does, and then nothing was done
     */
    public suspend fun <T> withLock(
        request: LockRequest,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T = runUnder(acquire(request), block)

    /**
     * Runs a block as [withLock] does, unless another owner holds the lock.
     *
     * @param request the lock, the ttl and the wait
     * @param block the work
     * @return the result of the block, or null if another owner held the lock all the time and nothing was done
     * @throws LockLostException if the lock was lost before the end of the block
     * @throws LockException as [tryAcquire] does, and then nothing was done
     */
    public suspend fun <T : Any> tryWithLock(
        request: LockRequest,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T? = tryAcquire(request)?.let { runUnder(it, block) }

    /** Runs a block as the other [withLock] does, under the lock of a name with the defaults of the client. */
    public suspend fun <T> withLock(
        name: String,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T = withLock(client.request(name), block)

    /** Runs a block as the other [tryWithLock] does, under the lock of a name with the defaults of the client. */
    public suspend fun <T : Any> tryWithLock(
        name: String,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T? = tryWithLock(client.request(name), block)

    /**
     * Acquires a lock, and waits while another owner holds it, at most for the wait of the request. If the coroutine is
     * cancelled, a lock that was granted by then is released.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock, to be [released][release]
     * @throws org.mongolocks.LockContendedException if another owner held it all the time; its message names the holder
     * @throws LockException if the server refused or gave no reply; see [ReactiveLockClient.acquire]
     * @throws ClientClosedException if the client is closed
     * @throws IllegalStateException if the lock guards the block that calls this
     */
    public suspend fun acquire(request: LockRequest): ReactiveHeldLock {
        requireNotOwn(request.name())
        return checkNotNull(client.acquire(request).awaitLock())
    }

    /**
     * Acquires a lock as [acquire] does, unless another owner holds it.
     *
     * @param request the lock, the ttl and the wait
     * @return the held lock, to be [released][release]; null if another owner held it all the time
     * @throws LockException as [acquire] does
     */
    public suspend fun tryAcquire(request: LockRequest): ReactiveHeldLock? {
        requireNotOwn(request.name())
        return client.tryAcquire(request).awaitLock()
    }

    /**
     * Releases a lock, also if the coroutine is cancelled. One round trip, more after faults.
     *
     * @param lock a lock of this client
     * @return true if the lock was held until now; false if it had been lost or released before
     * @throws LockException if the server refused or gave no reply; the lock then stays held until its ttl has passed
     */
    public suspend fun release(lock: ReactiveHeldLock): Boolean =
        withContext(NonCancellable) { lock.release().awaitSingle() }

    /** [ReactiveHeldLock.close] does nothing after a release, and logs what fails. */
    private suspend fun <T> runUnder(lock: ReactiveHeldLock, block: suspend CoroutineScope.(ReactiveHeldLock) -> T): T =
        try {
            val result = cancelledByLoss(lock, block)
            finish(lock)
            result
        } finally {
            withContext(NonCancellable) { lock.close().awaitSingleOrNull() }
        }

    /**
     * A failed child cancels its scope, which waits for the block and then fails as the child did. The block gets no other
     * element of the context than its job, a scope's, so that a flow may emit in it.
     */
    private suspend fun <T> cancelledByLoss(
        lock: ReactiveHeldLock,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T = coroutineScope {
        val watch = launch {
            lock.lost().awaitSingle()
            lock.lossException().ifPresent { throw it }
        }
        val result = coroutineScope { guarded(lock, block) }
        watch.cancel(null) // without it, coroutines 1.11 compiles to a method that 1.10 has not
        result
    }

    private suspend fun <T> CoroutineScope.guarded(
        lock: ReactiveHeldLock,
        block: suspend CoroutineScope.(ReactiveHeldLock) -> T,
    ): T {
        val key = client to lock.lease().name()
        val guard = Guard(lock, coroutineContext.job)
        GUARDS[key] = guard
        try {
            return block(lock)
        } finally {
            GUARDS.remove(key, guard)
        }
    }

    /** Releases the lock of work that is done; an earlier loss is an error, a failed release is not. */
    private suspend fun finish(lock: ReactiveHeldLock) {
        val wasHeld = try {
            release(lock)
        } catch (e: LockException) {
            LOG.log(WARNING, "$lock could not be released after the work; it is held until the server answers or its ttl has passed: $e")
            true
        }
        if (!wasHeld) {
            lock.lossException().ifPresent { throw it }
        }
    }

    private suspend fun requireNotOwn(name: LockName) {
        val guard = GUARDS[client to name]
        check(guard == null || !guard.isAround(currentCoroutineContext()[Job])) {
            "Lock '$name' is held by this very work, which requests it again"
        }
    }

    /** A lock, and the job of the block that it guards. */
    private class Guard(private val lock: ReactiveHeldLock, private val job: Job) {
        fun isAround(other: Job?): Boolean = other != null && lock.isHeld && job.includes(other)

        private fun Job.includes(other: Job): Boolean = this === other || children.any { it.includes(other) }
    }

    private companion object {
        private val LOG: System.Logger = System.getLogger("org.mongolocks")
        private val GUARDS = ConcurrentHashMap<Pair<ReactiveLockClient, LockName>, Guard>()

        private fun releaseLater(lock: ReactiveHeldLock) {
            lock.close().subscribe()
        }

        /**
         * A lock that is not delivered because of a cancellation is released, at whatever moment it arrives: also one that
         * was there before it was awaited, which `await` returns without a look at the cancellation.
         */
        private suspend fun Mono<ReactiveHeldLock>.awaitLock(): ReactiveHeldLock? {
            val subscriber = LockSubscriber()
            subscribe(subscriber)
            try {
                return subscriber.result.await().also { currentCoroutineContext().ensureActive() }
            } catch (e: CancellationException) {
                subscriber.cancel()
                subscriber.result.whenComplete { lock, _ -> lock?.let(::releaseLater) }
                throw e
            }
        }
    }

    /** The result of an acquisition; the subscriber that Reactor makes of functions would drop a late lock. */
    private class LockSubscriber : BaseSubscriber<ReactiveHeldLock>() {
        val result = CompletableFuture<ReactiveHeldLock?>()

        override fun hookOnNext(value: ReactiveHeldLock) {
            if (!result.complete(value)) {
                releaseLater(value)
            }
        }

        override fun hookOnComplete() {
            result.complete(null)
        }

        override fun hookOnError(throwable: Throwable) {
            result.completeExceptionally(throwable)
        }
    }
}
