package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.update.Update.OperatorUpdate;

/** Reads an update by operators. */
final class OperatorParser {
    private static final Set<String> KNOWN = Set.of("""
            $set $setOnInsert $unset $inc $mul $min $max $currentDate $rename $push""".split("\\s+"));

    // Operators of MongoDB that this server does not have.
    private static final Set<String> UNSUPPORTED = Set.of("$addToSet", "$bit", "$pop", "$pull", "$pullAll");

    private final ArrayFilters filters;
    private final UpdateTree tree;

    OperatorParser(ArrayFilters filters) {
        this.filters = filters;
        this.tree = new UpdateTree(filters);
    }

    Update parse(Document operators) {
        for (Entry<String, Object> operator : operators.entrySet()) {
            parse(operator.getKey(), operator.getValue());
        }
        filters.checkAllUsed();
        return new OperatorUpdate(tree.root());
    }

    private void parse(String operator, @Nullable Object fields) {
        if (UNSUPPORTED.contains(operator)) {
            throw CommandError.unsupported(operator);
        }
        if (!KNOWN.contains(operator)) {
            throw CommandError.failedToParse("Unknown modifier: " + operator
                    + ". Expected a valid update modifier or pipeline-style update specified as an array");
        }
        if (!(fields instanceof Document document)) {
            throw CommandError.failedToParse("Modifiers operate on fields but we found type "
                    + BsonKind.nameOf(fields) + " instead. For example: {$mod: {<field>: ...}} not {"
                    + ShellText.field(operator, fields) + "}");
        }
        if (document.isEmpty()) {
            throw CommandError.failedToParse("'" + operator + "' is empty. You must specify a field like so: {"
                    + operator + ": {<field>: ...}}");
        }
        for (Entry<String, Object> field : document.entrySet()) {
            add(operator, field.getKey(), field.getValue());
        }
    }

    private void add(String operator, String name, @Nullable Object argument) {
        FieldPath path = UpdatePath.checked(name);
        if (operator.equals("$rename")) {
            addRename(path, argument);
        } else {
            tree.add(path, modifier(operator, name, argument));
        }
    }

    private Modifier modifier(String operator, String path, @Nullable Object argument) {
        return switch (operator) {
            case "$set" -> (current, at) -> argument;
            case "$setOnInsert" -> (current, at) -> at.context().isInsert() ? argument : current;
            case "$unset" -> new Modifier.Remove();
            case "$inc" -> Modifier.Compute.of(operator, Arithmetic.ADD, path, argument);
            case "$mul" -> Modifier.Compute.of(operator, Arithmetic.MULTIPLY, path, argument);
            case "$max" -> Modifier.extreme(1, argument);
            case "$min" -> Modifier.extreme(-1, argument);
            case "$currentDate" -> Modifier.currentDate(argument);
            default -> PushModifier.of(argument);
        };
    }

    private void addRename(FieldPath source, @Nullable Object argument) {
        if (!(argument instanceof String name)) {
            throw CommandError.badValue(
                    "The 'to' field for $rename must be a string: " + ShellText.field(source.toString(), argument));
        }
        FieldPath target = UpdatePath.checked(name);
        checkRename(source, target);
        tree.add(source, new Modifier.RenameSource());
        tree.add(target, new Modifier.RenameTarget(source));
    }

    private static void checkRename(FieldPath source, FieldPath target) {
        String from = source.toString();
        String to = target.toString();
        if (from.equals(to)) {
            throw CommandError.badValue("The source and target field for $rename must differ: " + from);
        }
        if (from.startsWith(to + '.') || to.startsWith(from + '.')) {
            throw CommandError.badValue(
                    "The source and target field for $rename must not be on the same path: " + from);
        }
        if (from.contains(".$[") || to.contains(".$[")) {
            throw CommandError.badValue("The fields of $rename may not be dynamic: " + from + ", " + to);
        }
    }
}
