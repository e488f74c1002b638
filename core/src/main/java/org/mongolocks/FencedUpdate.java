package org.mongolocks;

import static org.mongolocks.spi.Expressions.document;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A user's update with the token of a fence. */
record FencedUpdate(Fence fence, Bson operators) implements Bson {
    private static final String MAX = "$max";

    /**
     * Adds the token to an update by a pipeline. The field holds the token at the end, whatever the user's stages do to
     * it: a document that is written has seen no larger token.
     *
     * @param fence the fence
     * @param stages the user's update
     * @return the stages, and one more
     */
    public static List<Bson> byPipeline(Fence fence, List<? extends Bson> stages) {
        List<Bson> all = new ArrayList<>(stages);
        all.add(document("$set", document(fence.field(), new BsonInt64(fence.token()))));
        return List.copyOf(all);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
        BsonDocument update = copyOf(operators.toBsonDocument(type, registry));
        update.values().forEach(this::requireOthers);
        BsonDocument maxFields = copyOf(update.getDocument(MAX, new BsonDocument()));
        return update.append(MAX, maxFields.append(fence.field(), new BsonInt64(fence.token())));
    }

    /** A raw document cannot be changed, nor can its clone. */
    private static BsonDocument copyOf(BsonDocument fields) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(fields);
        return copy;
    }

    private void requireOthers(BsonValue fields) {
        if (fields instanceof BsonDocument names) {
            names.keySet().forEach(this::requireOther);
        }
    }

    private void requireOther(String changed) {
        if (FenceFieldPath.overlap(changed, fence.field())) {
            throw new IllegalArgumentException("An update must not change the field of its fence, '" + fence.field()
                    + "', but it changes '" + changed + "'");
        }
    }
}
