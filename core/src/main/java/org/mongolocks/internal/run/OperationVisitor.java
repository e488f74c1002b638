package org.mongolocks.internal.run;

import org.mongolocks.spi.MongoOp;

/**
 * A visitor with a method for each operation, for runners and tests: a strategy that has no need of it stays compatible
 * with one more operation.
 *
 * @param <T> the result of each method
 */
public interface OperationVisitor<T> {
    /** Calls the method for the kind of this operation. */
    default T visit(MongoOp op) {
        if (op instanceof MongoOp.FindOneAndUpdate update) {
            return findOneAndUpdate(update);
        }
        if (op instanceof MongoOp.FindOne find) {
            return findOne(find);
        }
        if (op instanceof MongoOp.UpdateOne update) {
            return updateOne(update);
        }
        if (op instanceof MongoOp.Transaction transaction) {
            return transaction(transaction);
        }
        if (op instanceof MongoOp.InsertOne insert) {
            return insertOne(insert);
        }
        if (op instanceof MongoOp.DeleteOne delete) {
            return deleteOne(delete);
        }
        if (op instanceof MongoOp.FindMany find) {
            return findMany(find);
        }
        if (op instanceof MongoOp.BulkUpdate updates) {
            return updateEach(updates);
        }
        if (op instanceof MongoOp.Hello hello) {
            return hello(hello);
        }
        if (op instanceof MongoOp.ReadSchema read) {
            return readSchema(read);
        }
        return createCollection((MongoOp.CreateCollection) op);
    }

    T findOneAndUpdate(MongoOp.FindOneAndUpdate op);

    T findOne(MongoOp.FindOne op);

    T updateOne(MongoOp.UpdateOne op);

    T transaction(MongoOp.Transaction op);

    T insertOne(MongoOp.InsertOne op);

    T deleteOne(MongoOp.DeleteOne op);

    T findMany(MongoOp.FindMany op);

    T updateEach(MongoOp.BulkUpdate op);

    T hello(MongoOp.Hello op);

    T readSchema(MongoOp.ReadSchema op);

    T createCollection(MongoOp.CreateCollection op);
}
