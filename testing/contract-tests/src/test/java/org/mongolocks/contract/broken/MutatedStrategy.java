package org.mongolocks.contract.broken;

import java.util.function.UnaryOperator;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.MongoOp;

/** A strategy whose operations are changed before they are sent. */
final class MutatedStrategy extends ForwardingStrategy {
    private final UnaryOperator<MongoOp> mutation;

    MutatedStrategy(LockStrategy strategy, UnaryOperator<MongoOp> mutation) {
        super(strategy);
        this.mutation = mutation;
    }

    @Override
    public String name() {
        return "mutated-" + super.name();
    }

    @Override
    protected MongoOp change(MongoOp op) {
        try {
            return mutation.apply(op);
        } catch (RuntimeException e) {
            Mutations.MISFITS.add("Does not fit " + op + ": " + e);
            throw e;
        }
    }
}
