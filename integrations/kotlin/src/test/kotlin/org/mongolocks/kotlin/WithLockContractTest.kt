package org.mongolocks.kotlin

import java.util.EnumSet
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.runInterruptible
import org.mongolocks.LockLostException
import org.mongolocks.contract.integration.ApplicationClients
import org.mongolocks.contract.integration.IntegrationContract
import org.mongolocks.contract.integration.LockIntegration
import org.mongolocks.contract.integration.LockIntegration.Application
import org.mongolocks.contract.integration.LockIntegration.Capability
import org.mongolocks.contract.integration.LockIntegration.Grant
import org.mongolocks.contract.integration.LockIntegration.Outcome
import org.mongolocks.contract.integration.LockIntegration.Work
import org.mongolocks.reactive.ReactiveLockClient

/** The contract of integrations, on blocks whose cancellation interrupts a thread. A block has no second entry. */
class WithLockContractTest : IntegrationContract() {
    override fun integration(): LockIntegration = Blocks

    private object Blocks : LockIntegration {
        override fun capabilities(): Set<Capability> = EnumSet.complementOf(EnumSet.of(Capability.REENTRY))

        override fun open(clients: ApplicationClients): Application = BlockApplication(clients.reactive())
    }

    private class BlockApplication(private val client: ReactiveLockClient) : Application {
        private val locks = SuspendingLockClient(client)

        override fun run(lock: String, work: Work): Outcome = runBlocking {
            try {
                val done = locks.tryWithLock(lock) { held ->
                    runInterruptible(Dispatchers.IO) { work.run(Grant(held.fencingToken(), held::isHeld)) }
                }
                if (done == null) Outcome.REFUSED else Outcome.RAN
            } catch (_: LockLostException) {
                Outcome.LOST
            }
        }

        override fun close() = client.close()
    }
}
