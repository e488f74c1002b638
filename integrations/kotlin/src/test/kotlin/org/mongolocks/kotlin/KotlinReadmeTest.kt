package org.mongolocks.kotlin

import java.nio.file.Files
import java.nio.file.Path
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.mongolocks.server.DriverClients
import org.mongolocks.server.ServerFinder
import org.mongolocks.reactive.ReactiveLockClient

/** Runs the example of the README, and checks what the README says. */
class KotlinReadmeTest {
    private val mongo = DriverClients.shared(ServerFinder.embedded().uri()).reactive()

    @Test
    fun exampleBillsUnderTheLock() = runTest {
        // begin
        val client = ReactiveLockClient.create(mongo, "app").awaitSingle()
        val locks = SuspendingLockClient(client) // one for the whole application
        val receipt = locks.withLock("invoice-42") { lock -> bill(lock.fencingToken()) }
        // end
        client.closeLater().awaitSingleOrNull()

        assertThat(receipt).matches("billed with token [0-9]+")
    }

    @Test
    fun readmeShowsTheExample() {
        val source = Files.readString(Path.of("src/test/kotlin/org/mongolocks/kotlin/KotlinReadmeTest.kt"))
        val example = source.substringAfter("// begin\n").substringBefore("        // end\n")

        assertThat(Files.readString(Path.of("README.md"))).contains(example.trimIndent())
    }

    @Test
    fun compilerOfTheOldestKotlinReadsTheClasses() {
        val version = SuspendingLockClient::class.java.getAnnotation(Metadata::class.java).metadataVersion

        assertThat(version).startsWith(2, 0)
    }

    private fun bill(token: Long): String = "billed with token $token"
}
