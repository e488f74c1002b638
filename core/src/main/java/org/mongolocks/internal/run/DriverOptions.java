package org.mongolocks.internal.run;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOneModel;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.BulkUpdate.Update;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;

/** What both drivers are asked for, whatever the settings of the user's client. */
public final class DriverOptions {
    public static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);

    /** Sessions are used for their transaction numbers; causal consistency would only add waiting. */
    public static final ClientSessionOptions SESSION =
            ClientSessionOptions.builder().causallyConsistent(false).build();

    /** The oldest driver with client-side timeouts, without which a command could outlast its lease. */
    private static final String OLDEST_VERSION = "5.2";

    private DriverOptions() {}

    /**
     * Runs the call that gives a database a client-side timeout, the newest part of the driver's API that locks need. The
     * attempt itself shows whether the driver has it, also from a shaded jar and in a native image.
     *
     * @throws IllegalStateException if the driver, or a part of it, is too old
     */
    public static <D> D requireSupported(Supplier<D> timed) {
        try {
            TransactionOptions.builder().timeout(1L, TimeUnit.SECONDS);
            return timed.get();
        } catch (NoSuchMethodError e) {
            throw new IllegalStateException(
                    "mongo-locks needs MongoDB's Java driver " + OLDEST_VERSION + " or newer, found " + foundVersion()
                            + " (" + e.getMessage() + " is missing). Use one newer version of mongodb-driver-sync or"
                            + " mongodb-driver-reactivestreams, mongodb-driver-core and bson, for example by"
                            + " mongodb-driver-bom, or with Spring Boot by the property mongodb.version.",
                    e);
        }
    }

    /** For messages only: the class is internal to the driver, and may name a part that is newer than the others. */
    private static String foundVersion() {
        try {
            Class<?> build = Class.forName("com.mongodb.internal.build.MongoDriverVersion");
            return "mongodb-driver-core " + build.getField("VERSION").get(null);
        } catch (ReflectiveOperationException e) {
            return "an unknown version";
        }
    }

    /** Returns the options of a transaction, whose time limit begins now. */
    public static TransactionOptions transaction(TimeBudget limit) {
        return TransactionOptions.builder()
                .readConcern(ReadConcern.SNAPSHOT)
                .writeConcern(DURABLE)
                .readPreference(ReadPreference.primary())
                .timeout(limit.beginTransaction().toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }

    /** Returns whether an operation may be the first one in another session: it neither is in a transaction nor ends one. */
    public static boolean mayBeginSession(MongoOp op, boolean inTransaction) {
        return op instanceof MongoOp.Transaction bound ? bound.boundary() == Boundary.START : !inTransaction;
    }

    public static UpdateOneModel<BsonDocument> model(Update update) {
        return update.change()
                .fold(
                        operators -> new UpdateOneModel<>(update.filter(), operators),
                        stages -> new UpdateOneModel<>(update.filter(), stages));
    }

    public static IndexOptions index(TtlIndex ttl) {
        return new IndexOptions().expireAfter(ttl.after().toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns the filter for a collection among the sharded ones, where a dropped one stays for a while. */
    public static Bson sharded(String database, String collection) {
        return Filters.and(Filters.eq("_id", database + "." + collection), Filters.ne("dropped", true));
    }
}
