package org.mongolocks;

import static org.mongolocks.spi.Expressions.document;
import static org.mongolocks.spi.Expressions.path;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A user's update with the token of a fence. */
record FencedUpdate(Fence fence, Bson operators) implements Bson {
    private static final String MAX = "$max";
    private static final String RENAME = "$rename";

    /**
     * Adds the token to an update by a pipeline. The field holds the token at the end, whatever the user's stages do to
     * it: a document that is written has seen no larger token. If a stage has put something other than a document where
     * a nested field has its place, the server refuses the update.
     *
     * @param fence the fence
     * @param stages the user's update
     * @return the stages, and one more
     */
    public static List<Bson> byPipeline(Fence fence, List<? extends Bson> stages) {
        List<Bson> all = new ArrayList<>(stages);
        all.add(document("$set", assignment("", fence.field(), new BsonInt64(fence.token()))));
        return List.copyOf(all);
    }

    private static BsonDocument assignment(String above, String field, BsonValue token) {
        int dot = field.indexOf('.');
        if (dot < 0) {
            return document(field, token);
        }
        String name = field.substring(0, dot);
        BsonDocument inner = assignment(above + name + ".", field.substring(dot + 1), token);
        return document(name, document("$mergeObjects", new BsonArray(List.of(path(above + name), inner))));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> type, CodecRegistry registry) {
        BsonDocument update = copyOf(operators.toBsonDocument(type, registry));
        update.forEach(this::requireOthers);
        BsonDocument maxFields = copyOf(update.getDocument(MAX, new BsonDocument()));
        return update.append(MAX, maxFields.append(fence.field(), new BsonInt64(fence.token())));
    }

    /** A raw document cannot be changed, nor can its clone. */
    private static BsonDocument copyOf(BsonDocument fields) {
        BsonDocument copy = new BsonDocument();
        copy.putAll(fields);
        return copy;
    }

    private void requireOthers(String operator, BsonValue fields) {
        if (!operator.startsWith("$") || !(fields instanceof BsonDocument changes)) {
            throw new IllegalArgumentException(
                    "An update must be made of operators, each with the fields that it changes, but it has '" + operator
                            + "' with " + fields.getBsonType());
        }
        changes.forEach((field, value) -> {
            requireOther(field);
            if (operator.equals(RENAME) && value instanceof BsonString target) {
                requireOther(target.getValue());
            }
        });
    }

    private void requireOther(String changed) {
        if (FenceFieldPath.overlap(changed, fence.field())) {
            throw new IllegalArgumentException("Nothing but the fence itself may write its field, '" + fence.field()
                    + "', but '" + changed + "' would be written too");
        }
    }
}
