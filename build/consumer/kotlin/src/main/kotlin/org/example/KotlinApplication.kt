package org.example

import com.mongodb.reactivestreams.client.MongoClients
import java.time.Duration
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.mongolocks.LockRequest
import org.mongolocks.embedded.EmbeddedMongo
import org.mongolocks.kotlin.SuspendingLockClient
import org.mongolocks.reactive.ReactiveLockClient

fun main() = EmbeddedMongo.start().use { server ->
    MongoClients.create(server.connectionString()).use { mongo ->
        runBlocking {
            val client = ReactiveLockClient.builder(mongo, "shop").build().awaitSingle()
            SuspendingLockClient(client).withLock(LockRequest.of("invoice-42", Duration.ofSeconds(30))) { lock ->
                println("kotlin: held with token ${lock.fencingToken()}")
            }
            client.close()
        }
    }
}
