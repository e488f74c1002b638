package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;

import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.mongolocks.protocol.ProtocolFixture;
import org.mongolocks.protocol.ProtocolLaws;
import org.mongolocks.spi.LockStrategy;

class TransactionalLawsTest extends ProtocolLaws {
    @Override
    protected LockStrategy strategy() {
        return new TransactionalStrategy();
    }

    @Override
    protected BsonDocument documentElsewhere(BsonDocument filter) {
        return new BsonDocument("_id", new BsonString(ProtocolFixture.NAME.value()))
                .append("n", new BsonInt64(count()));
    }

    long count() {
        return TOKEN + 1;
    }
}
