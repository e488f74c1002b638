package org.mongolocks.internal;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.path;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.mongolocks.Fence;

/**
 * Is an update of a user with the mark of a fence.
 *
 * @param fence the fence
 * @param operators the update of the user
 */
public record FencedUpdate(Fence fence, Bson operators) implements Bson {
    private static final String MARK = "$max";

    /**
     * Adds the mark to an update by a pipeline.
     *
     * @param fence the fence
     * @param stages the update of the user
     * @return the stages, and one more
     */
    public static List<Bson> byPipeline(Fence fence, List<? extends Bson> stages) {
        BsonValue token = new BsonInt64(fence.token());
        BsonDocument largest = document(MARK, new BsonArray(List.of(path(fence.field()), token)));
        List<Bson> all = new ArrayList<>(stages);
        all.add(document("$set", document(fence.field(), largest)));
        return List.copyOf(all);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
        BsonDocument update = operators.toBsonDocument(type, registry).clone();
        update.values().forEach(this::requireOthers);
        BsonDocument marks = update.getDocument(MARK, new BsonDocument());
        return update.append(MARK, marks.append(fence.field(), new BsonInt64(fence.token())));
    }

    private void requireOthers(BsonValue fields) {
        if (fields instanceof BsonDocument names) {
            names.keySet().forEach(this::requireOther);
        }
    }

    private void requireOther(String changed) {
        if (FieldPath.overlap(changed, fence.field())) {
            throw new IllegalArgumentException("An update leaves the field of its fence, '" + fence.field()
                    + "', to the fence, but it changes '" + changed + "'");
        }
    }
}
