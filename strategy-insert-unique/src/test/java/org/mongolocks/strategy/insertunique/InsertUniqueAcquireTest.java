package org.mongolocks.strategy.insertunique;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.found;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.LockStrategy.LockOutcome;

class InsertUniqueAcquireTest {
    private static final String INSERT = "insert-unique/insert";

    private final InsertUniqueStrategy strategy = new InsertUniqueStrategy();
    private final LockDocumentFixtures stored = new LockDocumentFixtures("insert-unique/3", "rev");
    private final ProtocolScript<LockOutcome> attempt = ProtocolScript.of(strategy.acquire(firstAttempt()));

    @Test
    void unusedNameIsAcquiredByOneRepeatableCommand() {
        attempt.sends(
                        INSERT,
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'insert-unique/3', rev: NumberLong(0)}, update: "
                                + stored.commands().created(stored.commands().nextRevision(), "") + ", upsert: true}")
                .receives(found(stored.heldBy(ME)))
                .endsWith(acquired(TOKEN));
    }
}
