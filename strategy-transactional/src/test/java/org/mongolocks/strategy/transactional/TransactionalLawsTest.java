package org.mongolocks.strategy.transactional;

import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class TransactionalLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new TransactionalStrategy();
    }

    @Override
    protected BsonDocument documentElsewhere(BsonDocument filter) {
        return filter.clone().append("n", new BsonInt64(8));
    }
}
