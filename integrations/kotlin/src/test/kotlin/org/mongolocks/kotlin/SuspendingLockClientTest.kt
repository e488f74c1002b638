package org.mongolocks.kotlin

import java.time.Duration
import java.util.UUID
import java.util.concurrent.Callable
import java.util.concurrent.Executor
import java.util.concurrent.LinkedBlockingQueue
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.mongolocks.ClientClosedException
import org.mongolocks.LockContendedException
import org.mongolocks.LockLostException
import org.mongolocks.LockRequest
import org.mongolocks.LossReason
import org.mongolocks.server.BackgroundTask.Eventually
import org.mongolocks.contract.adapter.DeliveryHook
import org.mongolocks.server.DriverClients
import org.mongolocks.server.ServerFinder
import org.mongolocks.reactive.ReactiveHeldLock
import org.mongolocks.reactive.ReactiveLockClient

/** The lease is so long that it ends only when a test moves the clock. */
class SuspendingLockClientTest {
    private val server = ServerFinder.embedded()
    private val client = reactiveClient()
    private val locks = SuspendingLockClient(client)
    private val request = LockRequest.of("invoice-" + UUID.randomUUID(), TTL).fixedLease()

    @AfterEach
    fun close() {
        client.close()
    }

    @Test
    @Tag("finds:kotlin-other-coroutines")
    fun blockRunsUnderTheLockAndItsResultIsReturned() = runTest {
        val token = locks.withLock(request) { lock ->
            assertThat(isHeld()).isTrue()
            lock.fencingToken()
        }

        assertThat(token).isPositive()
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun contendedBlockDoesNotRun() = runTest {
        heldByAnother {
            assertThat(locks.tryWithLock<Any>(request) { throw AssertionError("It ran") }).isNull()
        }
    }

    @Test
    fun insistingOnAContendedLockFails() = runTest {
        heldByAnother {
            val failure = runCatching { locks.withLock(request) { throw AssertionError("It ran") } }.exceptionOrNull()

            assertThat(failure).isInstanceOf(LockContendedException::class.java)
        }
    }

    @Test
    fun insistingReturnsTheResultWhichMayBeNull() = runTest {
        assertThat(locks.withLock<String?>(request) { null }).isNull()

        assertThat(isHeld()).isFalse()
    }

    @Test
    fun failureOfTheBlockReleasesAndIsThrown() = runTest {
        val error = IllegalStateException("The printer is out of paper")

        val failure = runCatching { locks.withLock<Any>(request) { throw error } }.exceptionOrNull()

        // with assertions enabled, coroutines throw a copy whose cause is the original
        assertThat(generateSequence(failure) { it.cause }.last()).isSameAs(error)
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun lockIsHeldUntilTheCancelledBlockHasEnded() = runBlocking<Unit> {
        val running = CompletableDeferred<Unit>()
        var heldDuringCleanUp = false
        val work = launch {
            locks.withLock<Any>(request) {
                try {
                    running.complete(Unit)
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        yield()
                        heldDuringCleanUp = isHeld()
                    }
                }
            }
        }
        running.await()

        work.cancelAndJoin()

        assertThat(heldDuringCleanUp).isTrue()
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun lossCancelsTheBlock() = runBlocking<Unit> {
        val running = CompletableDeferred<ReactiveHeldLock>()
        val work = async {
            runCatching {
                locks.withLock<Any>(request) { lock ->
                    running.complete(lock)
                    awaitCancellation()
                }
            }.exceptionOrNull()
        }
        running.await()
        yield()

        server.elapse(TTL)

        val failure = work.await()
        assertThat(failure).isInstanceOf(LockLostException::class.java)
        assertThat((failure as LockLostException).reason()).isEqualTo(LossReason.EXPIRED)
    }

    @Test
    fun lossDuringABlockWithoutSuspensionPointsFailsAtItsEnd() = runBlocking<Unit> {
        val failure = runCatching {
            locks.withLock(request) { lock ->
                server.elapse(TTL)
                eventually("the loss is known") { !lock.isHeld }
            }
        }.exceptionOrNull()

        assertThat(failure).isInstanceOf(LockLostException::class.java)
    }

    @Test
    fun childrenOfTheBlockArePartOfTheWork() = runTest {
        var heldAtTheEnd = false
        locks.withLock(request) { lock ->
            launch {
                yield()
                heldAtTheEnd = lock.isHeld
            }
            true
        }

        assertThat(heldAtTheEnd).isTrue()
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun coroutinesOnOneThreadExcludeEachOther() = runBlocking<Unit> {
        var inside = 0
        val most = (1..4).map {
            async {
                locks.withLock(request.waitAtMost(WAIT)) {
                    inside++
                    yield()
                    inside.also { inside-- }
                }
            }
        }.awaitAll()

        assertThat(most).containsExactly(1, 1, 1, 1)
    }

    @Test
    fun blockThatRequestsItsOwnLockFailsInsteadOfWaitingForItself() = runTest {
        val inner = LockRequest.of("inner-" + UUID.randomUUID(), TTL).fixedLease()
        locks.withLock<Any>(request) {
            locks.withLock<Any>(inner) {
                for (attempt in attempts()) {
                    val failure = runCatching { supervisorScope { async { attempt() }.await() } }.exceptionOrNull()

                    assertThat(failure).isInstanceOf(IllegalStateException::class.java)
                        .hasMessageContaining("held by this very work")
                }
            } ?: throw AssertionError("The inner lock is contended")
        }
    }

    /** A flow may emit only in the context of its collector. */
    @Test
    @Tag("finds:kotlin-flow")
    fun flowEmitsInItsBlocks() = runTest {
        val inner = LockRequest.of("inner-" + UUID.randomUUID(), TTL).fixedLease()
        val tokens = flow {
            locks.withLock(request) { outer ->
                emit(outer.fencingToken())
                locks.withLock(inner) { emit(it.fencingToken()) }
            }
        }

        val both = tokens.toList()
        assertThat(both).hasSize(2)
        assertThat(tokens.first()).isEqualTo(both.first() + 1)
        assertThat(isHeld()).isFalse()
    }

    private fun attempts(): List<suspend () -> Any?> =
        listOf(
            { locks.acquire(request.waitAtMost(WAIT)) },
            { locks.tryAcquire(request) },
            { locks.withLock(request) { true } },
            { locks.tryWithLock(request) { true } },
        )

    @Test
    fun blockMayRequestItsOwnLockAfterItsRelease() = runTest {
        locks.withLock(request) { lock ->
            locks.release(lock)

            assertThat(locks.withLock(request) { it.fencingToken() }).isEqualTo(lock.fencingToken() + 1)
        }
    }

    @Test
    fun cancelledWaiterAcquiresNothing() = runBlocking<Unit> {
        heldByAnother {
            val waiter = launch(start = CoroutineStart.UNDISPATCHED) {
                locks.acquire(request.waitAtMost(WAIT))
            }
            waiter.cancelAndJoin()
        }

        // a command that was under way at the cancellation may still acquire; the client then releases in the background
        eventually("the lock is released") { !isHeld() }
    }

    /** The client has delivered the lock, and the coroutine is to be resumed with it, but does not run yet. */
    @Test
    fun lockThatIsGrantedAtTheMomentOfTheCancellationIsReleased() {
        val held = checkNotNull(client.tryAcquire(request).block())
        val tasks = LinkedBlockingQueue<Runnable>()
        val waiter = CoroutineScope(Executor(tasks::add).asCoroutineDispatcher())
            .launch { locks.acquire(request.waitAtMost(WAIT)) }
        tasks.remove().run()
        held.release().block()
        eventually("the lock is delivered") { tasks.isNotEmpty() }

        waiter.cancel()
        assertThat(isHeld()).isTrue()
        tasks.remove().run()

        assertThat(waiter.isCompleted).isTrue()
        eventually("the lock is released") { !isHeld() }
    }

    /** The last moment: the reactive client has delivered the lock, and the coroutine has not received it. */
    @Test
    fun lockThatIsUnderWayAtTheMomentOfTheCancellationIsReleased() = runBlocking<Unit> {
        val acquisition = launch(Dispatchers.Default, CoroutineStart.LAZY) { locks.acquire(request) }
        DeliveryHook.before { acquisition.cancel() }.use { acquisition.join() }

        assertThat(acquisition.isCancelled).isTrue()
        eventually("the lock is released") { !isHeld() }
    }

    /** Coroutines return a result that is there before it is awaited, whether or not they are cancelled. */
    @Test
    @Tag("finds:kotlin-cancelled-grant")
    fun lockThatCameBeforeItWasAwaitedIsReleasedIfTheCoroutineIsCancelled() = runBlocking<Unit> {
        val acquisition = launch(Dispatchers.Default, CoroutineStart.LAZY) { locks.acquire(request) }
        DeliveryHook.duringSubscription { acquisition.cancel() }.use { acquisition.join() }

        assertThat(acquisition.isCancelled).isTrue()
        eventually("the lock is released") { !isHeld() }
    }

    @Test
    fun lockIsReleasedOnce() = runTest {
        val lock = checkNotNull(locks.tryAcquire(request))

        assertThat(locks.release(lock)).isTrue()
        assertThat(locks.release(lock)).isFalse()
        assertThat(isHeld()).isFalse()
    }

    @Test
    fun closedClientIsAnError() {
        client.close()

        assertThatExceptionOfType(ClientClosedException::class.java).isThrownBy {
            runBlocking { locks.acquire(request) }
        }
    }

    private suspend fun heldByAnother(check: suspend () -> Unit) {
        val other = reactiveClient()
        try {
            SuspendingLockClient(other).withLock(request) { check() }
        } finally {
            withContext(NonCancellable) { other.close() }
        }
    }

    private fun reactiveClient(): ReactiveLockClient =
        checkNotNull(
            server.setClocks(ReactiveLockClient.builder(DriverClients.shared(server.uri()).reactive(), "kotlin"))
                .drainTimeout(Duration.ZERO)
                .strategy("findandmodify-counter")
                .build()
                .block(),
        )

    private fun isHeld(): Boolean = client.inspect(request.name()).block()?.isHeld ?: false

    private fun eventually(what: String, condition: () -> Boolean) =
        Eventually.isTrue(what, Callable { condition() })

    private companion object {
        val TTL: Duration = Duration.ofMinutes(10)
        val WAIT: Duration = Duration.ofMinutes(5)
    }
}
