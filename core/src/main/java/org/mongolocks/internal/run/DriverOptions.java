package org.mongolocks.internal.run;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.UpdateOneModel;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;

/** What both drivers are asked for, whatever the settings of the user's client. */
public final class DriverOptions {
    /** The write concern of all writes. */
    public static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

    /** Sessions are used for their transaction numbers; causal consistency would only add waiting. */
    public static final ClientSessionOptions SESSION =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    private DriverOptions() {}

    /** Returns the options of a transaction, whose time limit begins now. */
    public static TransactionOptions transaction(TimeBudget limit) {
        return TransactionOptions.builder()
                .readConcern(ReadConcern.SNAPSHOT)
                .writeConcern(DURABLE)
                .readPreference(ReadPreference.primary())
                .timeout(limit.beginTransaction().toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }

    /** Returns one of several updates. */
    public static UpdateOneModel<BsonDocument> model(Update update) {
        return update.change()
                .fold(
                        operators -> new UpdateOneModel<>(update.filter(), operators),
                        stages -> new UpdateOneModel<>(update.filter(), stages));
    }
}
