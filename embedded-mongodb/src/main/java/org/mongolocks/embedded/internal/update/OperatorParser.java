package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;

/** Reads an update by operators. */
final class OperatorParser {
    private final Scope scope;
    private final ArrayFilters filters;
    private final UpdateTree tree;

    OperatorParser(Scope scope, ArrayFilters filters) {
        this.scope = scope;
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
        checkKnown(operator);
        if (!(fields instanceof Document document)) {
            throw UpdateError.unparsed("Modifiers operate on fields but we found type "
                    + BsonKind.of(fields).alias() + " instead. For example: {$mod: {<field>: ...}} not {"
                    + ShellText.field(operator, fields) + "}");
        }
        if (document.isEmpty()) {
            throw UpdateError.unparsed("'" + operator + "' is empty. You must specify a field like so: {" + operator
                    + ": {<field>: ...}}");
        }
        for (Entry<String, Object> field : document.entrySet()) {
            add(operator, field.getKey(), field.getValue());
        }
    }

    private static void checkKnown(String operator) {
        switch (operator) {
            case "$set", "$setOnInsert", "$unset", "$inc", "$mul", "$min", "$max", "$currentDate", "$rename" -> {}
            case "$push", "$addToSet", "$pop", "$pull", "$pullAll" -> {}
            case "$bit" ->
                throw new CommandError(
                        ErrorCode.NOT_IMPLEMENTED, operator + " is not supported by the embedded server");
            default ->
                throw UpdateError.unparsed("Unknown modifier: " + operator
                        + ". Expected a valid update modifier or pipeline-style update specified as an array");
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
            case "$set" -> new ValueModifiers.Assign(argument);
            case "$setOnInsert" -> new ValueModifiers.AssignOnInsert(argument);
            case "$unset" -> new ValueModifiers.Remove();
            case "$inc" -> ValueModifiers.Compute.of(operator, Arithmetic.ADD, path, argument);
            case "$mul" -> ValueModifiers.Compute.of(operator, Arithmetic.MULTIPLY, path, argument);
            case "$max" -> new ValueModifiers.Extreme(1, argument, scope.collation());
            case "$min" -> new ValueModifiers.Extreme(-1, argument, scope.collation());
            case "$currentDate" -> ValueModifiers.CurrentDate.of(argument);
            case "$push" -> PushModifier.of(argument, scope.collation());
            case "$addToSet" -> ArrayModifiers.AddToSet.of(argument, scope.collation());
            case "$pop" -> ArrayModifiers.Pop.of(path, argument);
            case "$pull" -> PullParser.pull(argument, scope);
            default -> PullParser.pullAll(argument, scope);
        };
    }

    private void addRename(FieldPath source, @Nullable Object argument) {
        if (!(argument instanceof String name)) {
            throw UpdateError.badValue(
                    "The 'to' field for $rename must be a string: " + ShellText.field(source.toString(), argument));
        }
        FieldPath target = UpdatePath.checked(name);
        checkRename(source, target);
        tree.add(source, new ValueModifiers.Remove());
        tree.add(target, new RenameModifiers.Target(source, target));
    }

    private static void checkRename(FieldPath source, FieldPath target) {
        String from = source.toString();
        String to = target.toString();
        if (from.equals(to)) {
            throw UpdateError.badValue("The source and target field for $rename must differ: " + from);
        }
        if (from.startsWith(to + '.') || to.startsWith(from + '.')) {
            throw UpdateError.badValue("The source and target field for $rename must not be on the same path: " + from);
        }
        if (UpdatePath.isDynamic(source)) {
            throw UpdateError.badValue("The source field for $rename may not be dynamic: " + from);
        }
        if (UpdatePath.isDynamic(target)) {
            throw UpdateError.badValue("The destination field for $rename may not be dynamic: " + to);
        }
    }
}
