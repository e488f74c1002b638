package org.mongolocks.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ConnectionDescription;
import com.mongodb.connection.ServerId;
import com.mongodb.event.CommandStartedEvent;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;

class CommandCounterTest {
    private final CommandCounter counter = new CommandCounter();

    @ParameterizedTest
    @ValueSource(strings = {"findAndModify", "find", "delete", "commitTransaction", "abortTransaction"})
    void everyCommandCounts(String command) {
        counter.commandStarted(started(command));

        assertThat(counter.count()).isEqualTo(1);
    }

    @Test
    void aRetriedCommandCountsTwice() {
        counter.commandStarted(started("findAndModify"));
        counter.commandStarted(started("findAndModify"));

        assertThat(counter.count()).isEqualTo(2);
    }

    private static CommandStartedEvent started(String command) {
        ConnectionDescription connection =
                new ConnectionDescription(new ServerId(new ClusterId(), new ServerAddress()));
        return new CommandStartedEvent(
                null, 1, 1, connection, "admin", command, new BsonDocument(command, new BsonInt32(1)));
    }
}
