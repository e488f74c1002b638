package org.mongolocks.strategy.findandmodifycounter;

import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;

import org.junit.jupiter.api.Test;
import org.mongolocks.protocol.LeaseCommands;
import org.mongolocks.protocol.ProtocolScript;

class FindAndModifyCounterAcquireTest {
    private static final LeaseCommands COMMANDS = new LeaseCommands("findandmodify-counter/3", "rev");

    @Test
    void oneCommandExtendsAcquiresOrDoesNotChangeTheLock() {
        ProtocolScript.of(new FindAndModifyCounterStrategy().acquire(firstAttempt()))
                .sends(
                        "findandmodify-counter/acquire-or-extend",
                        "{findAndModify: 'locks', query: {_id: '$job', format: 'findandmodify-counter/3'}, update: "
                                + COMMANDS.acquireOrExtend(LeaseCommands.nextToken(), "")
                                + ", upsert: true, fields: " + COMMANDS.projection() + "}");
    }
}
