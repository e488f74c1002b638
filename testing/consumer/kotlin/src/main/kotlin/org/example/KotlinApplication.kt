package org.example

import com.mongodb.reactivestreams.client.MongoClients
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import org.mongolocks.embedded.EmbeddedMongo
import org.mongolocks.kotlin.SuspendingLockClient
import org.mongolocks.reactive.ReactiveLockClient

fun main() = EmbeddedMongo.start().use { server ->
    MongoClients.create(server.connectionString()).use { mongo ->
        runBlocking {
            val client = ReactiveLockClient.create(mongo, "shop").awaitSingle()
            SuspendingLockClient(client).withLock("invoice-42") { lock ->
                println("kotlin: held with token ${lock.fencingToken()}")
            }
            client.close()
        }
    }
}
