package org.mongolocks.embedded.support;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/** Turns documents of the driver into documents of the server and back, through their bytes. */
public final class Bson {
    private static final BsonDocumentCodec CODEC = new BsonDocumentCodec();

    private Bson() {}

    public static Document toServer(BsonDocument document) {
        return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(bytes(document)));
    }

    public static BsonDocument toDriver(Document document) {
        return parse(bytes(document));
    }

    public static byte[] bytes(Document document) {
        ByteBuf buffer = Unpooled.buffer();
        BsonEncoder.encodeDocument(document, buffer);
        return ByteBufUtil.getBytes(buffer);
    }

    public static byte[] bytes(BsonDocument document) {
        try (BasicOutputBuffer out = new BasicOutputBuffer();
                BsonBinaryWriter writer = new BsonBinaryWriter(out)) {
            CODEC.encode(writer, document, EncoderContext.builder().build());
            return out.toByteArray();
        }
    }

    public static BsonDocument parse(byte[] bytes) {
        try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(bytes))) {
            return CODEC.decode(reader, DecoderContext.builder().build());
        }
    }
}
