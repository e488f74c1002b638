package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.update.Update.OperatorUpdate;
import org.mongolocks.embedded.internal.update.UpdateNode.LeafNode;

/** Reads an update by operators. */
final class OperatorParser {
    private static final Set<String> KNOWN = Set.of("""
            $set $setOnInsert $unset $inc $mul $min $max $currentDate $rename $push""".split("\\s+"));

    // Operators of MongoDB that this server does not have.
    private static final Set<String> UNSUPPORTED = Set.of("$addToSet", "$bit", "$pop", "$pull", "$pullAll");

    private final Map<String, Filter> filters;
    private final Set<String> unused;
    private final FieldsNode root = new FieldsNode();

    /**
     * A parser for one update.
     *
     * @param filters the array filters by their names
     */
    OperatorParser(Map<String, Filter> filters) {
        this.filters = filters;
        this.unused = new TreeSet<>(filters.keySet());
    }

    Update parse(Document operators) {
        for (Entry<String, Object> operator : operators.entrySet()) {
            parse(operator.getKey(), operator.getValue());
        }
        if (!unused.isEmpty()) {
            throw CommandError.failedToParse("The array filters " + unused + " were not used in the update");
        }
        return new OperatorUpdate(root);
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
        FieldPath path = checkedPath(name);
        if (operator.equals("$rename")) {
            addRename(path, argument);
        } else {
            add(path, modifier(operator, name, argument));
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
        FieldPath target = checkedPath(name);
        checkRename(source, target);
        add(source, new Modifier.RenameSource());
        add(target, new Modifier.RenameTarget(source));
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

    private static FieldPath checkedPath(String text) {
        if (text.isEmpty()) {
            throw new CommandError(ErrorCode.EMPTY_FIELD_NAME, "An empty update path is not valid.");
        }
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            checkPart(path.part(i), i, text);
        }
        return path;
    }

    private static void checkPart(String part, int index, String path) {
        if (part.isEmpty()) {
            throw new CommandError(
                    ErrorCode.EMPTY_FIELD_NAME,
                    "The update path '" + path + "' contains an empty field name, which is not allowed.");
        }
        if (!part.startsWith("$")) {
            return;
        }
        if (part.equals("$")) {
            throw CommandError.unsupported("The positional operator '$'");
        }
        boolean isDynamic = isArrayFilter(part);
        if (isDynamic && index == 0) {
            throw CommandError.badValue(
                    "Cannot have array filter identifier or positional (i.e. '$') element in the first"
                            + " position in path '" + path + "'");
        }
        if (!isDynamic) {
            throw new CommandError(
                    ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
                    "The dollar ($) prefixed field '" + part + "' in '" + path + "' is not valid for storage.");
        }
    }

    private static boolean isArrayFilter(String part) {
        return part.startsWith("$[") && part.endsWith("]");
    }

    /** The name inside {@code $[name]}. */
    private static String filterName(String part) {
        return part.substring(2, part.length() - 1);
    }

    // Puts an operator into the tree of paths, where it may conflict with others.
    private void add(FieldPath path, Modifier modifier) {
        UpdateNode node = root;
        for (int i = 0; i < path.length(); i++) {
            node = path.isLast(i) ? putLeaf(node, path, i, modifier) : inner(node, path, i);
        }
    }

    private UpdateNode putLeaf(UpdateNode parent, FieldPath path, int index, Modifier modifier) {
        if (child(parent, path, index) != null) {
            throw UpdateNode.conflict(path.toString(), path.upTo(index + 1));
        }
        return put(parent, path, index, new LeafNode(modifier));
    }

    private UpdateNode inner(UpdateNode parent, FieldPath path, int index) {
        boolean wantsElements = isArrayFilter(path.part(index + 1));
        UpdateNode existing = child(parent, path, index);
        if (existing == null) {
            return put(parent, path, index, wantsElements ? new ElementsNode(filters) : new FieldsNode());
        }
        boolean isSameKind = wantsElements ? existing instanceof ElementsNode : existing instanceof FieldsNode;
        if (!isSameKind) {
            throw UpdateNode.conflict(path.toString(), path.upTo(index + 1));
        }
        return existing;
    }

    private static @Nullable UpdateNode child(UpdateNode parent, FieldPath path, int index) {
        return parent instanceof ElementsNode elements
                ? elements.child(filterName(path.part(index)))
                : ((FieldsNode) parent).child(path.part(index));
    }

    private UpdateNode put(UpdateNode parent, FieldPath path, int index, UpdateNode child) {
        if (parent instanceof ElementsNode elements) {
            String name = filterName(path.part(index));
            if (!name.isEmpty() && !filters.containsKey(name)) {
                throw CommandError.badValue(
                        "No array filter found for identifier '" + name + "' in path '" + path + "'");
            }
            unused.remove(name);
            elements.put(name, child);
        } else {
            ((FieldsNode) parent).put(path.part(index), child);
        }
        return child;
    }
}
