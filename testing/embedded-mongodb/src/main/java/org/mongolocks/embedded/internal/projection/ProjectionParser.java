package org.mongolocks.embedded.internal.projection;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Expression;
import org.mongolocks.embedded.internal.expression.ExpressionParser;
import org.mongolocks.embedded.internal.projection.Projection.Mode;

/** Reads projections: inclusions, exclusions, and computed fields. */
public final class ProjectionParser {
    private static final String ID = "_id";

    private final ExpressionParser expressions = new ExpressionParser();
    private final List<Item> items = new ArrayList<>();

    private final boolean isOfFind;

    private ProjectionParser(boolean isOfFind) {
        this.isOfFind = isOfFind;
    }

    /** A path and its expression; no expression means to include or to exclude. */
    private record Item(FieldPath path, @Nullable Expression expression, boolean isIncluded) {}

    /** Reads a projection of {@code $project}. */
    public static Projection parse(Document specification) {
        return parse(specification, false);
    }

    /** Reads a projection of find or findAndModify, where some operators have another meaning than in expressions. */
    public static Projection parseOfFind(Document specification) {
        return parse(specification, true);
    }

    private static Projection parse(Document specification, boolean isOfFind) {
        ProjectionParser parser = new ProjectionParser(isOfFind);
        parser.read(specification);
        return parser.build(parser.mode());
    }

    /** Reads the fields of {@code $addFields}. */
    public static Projection parseAdditions(Document specification) {
        ProjectionParser parser = new ProjectionParser(false);
        parser.readAdditions(specification, "");
        return parser.build(Mode.ADD);
    }

    /** Reads the names of {@code $unset}. */
    public static Projection parseRemovals(Collection<String> paths) {
        ProjectionParser parser = new ProjectionParser(false);
        for (String path : paths) {
            parser.items.add(new Item(FieldPath.checked(path), null, false));
        }
        return parser.build(Mode.EXCLUDE);
    }

    private void read(Document specification) {
        for (Entry<String, Object> entry : specification.entrySet()) {
            String path = entry.getKey();
            Object value = entry.getValue();
            checkSupported(path, value);
            if (value instanceof Document nested && !ExpressionParser.isOperator(nested)) {
                throw CommandError.unsupported("A projection by a document: " + path);
            } else if (value instanceof Boolean || value instanceof Number) {
                items.add(new Item(FieldPath.checked(path), null, Values.isTrue(value)));
            } else {
                items.add(new Item(FieldPath.checked(path), expressions.parse(value), true));
            }
        }
    }

    // The operators of a find on arrays.
    private void checkSupported(String path, @Nullable Object value) {
        boolean isCut = value instanceof Document operator
                && (operator.containsKey("$slice") || operator.containsKey("$elemMatch"));
        if (isOfFind && (isCut || (path.endsWith(".$") && Values.isTrue(value)))) {
            throw CommandError.unsupported("A projection of '" + path + "' with $slice, $elemMatch or '.$'");
        }
    }

    private void readAdditions(Document specification, String prefix) {
        for (Entry<String, Object> entry : specification.entrySet()) {
            String path = prefix + entry.getKey();
            if (entry.getValue() instanceof Document nested && isNested(nested)) {
                readAdditions(nested, path + '.');
            } else {
                items.add(new Item(FieldPath.checked(path), expressions.parse(entry.getValue()), true));
            }
        }
    }

    private static boolean isNested(Document document) {
        return !document.isEmpty() && !ExpressionParser.isOperator(document);
    }

    // The first field that says which decides; the _id may differ from the others.
    private Mode mode() {
        Mode mode = null;
        for (Item item : items) {
            boolean isId = item.path.toString().equals(ID) && item.expression == null;
            Mode own = item.isIncluded ? Mode.INCLUDE : Mode.EXCLUDE;
            if (!isId && mode != null && mode != own) {
                throw mixed(item, own);
            }
            mode = isId ? mode : own;
        }
        if (mode != null) {
            return mode;
        }
        return items.stream().anyMatch(Item::isIncluded) ? Mode.INCLUDE : Mode.EXCLUDE;
    }

    private static CommandError mixed(Item item, Mode own) {
        return new CommandError(
                own == Mode.INCLUDE ? 31253 : 31254,
                "Cannot include and exclude fields in one projection: " + item.path);
    }

    private Projection build(Mode mode) {
        Projection root = new Projection(mode);
        boolean namesId = items.stream().anyMatch(item -> item.path.first().equals(ID));
        if (mode == Mode.INCLUDE && !namesId) {
            root.name(ID);
        }
        for (Item item : items) {
            boolean isOpposite = mode != Mode.ADD && item.isIncluded != (mode == Mode.INCLUDE);
            // An _id that goes against the others is simply not named.
            if (!isOpposite) {
                place(root, item);
            }
        }
        return root;
    }

    private static void place(Projection root, Item item) {
        Projection node = root;
        for (int i = 0; i < item.path.length() - 1; i++) {
            if (node.isTaken(item.path.part(i))) {
                throw new CommandError(
                        31250, "Path collision at " + item.path + " remaining portion " + item.path.from(i + 1));
            }
            node = node.child(item.path.part(i), item.expression != null);
        }
        String last = item.path.part(item.path.length() - 1);
        if (node.isTaken(last) || node.hasChild(last)) {
            throw new CommandError(31249, "Path collision at " + item.path);
        }
        if (item.expression == null) {
            node.name(last);
        } else {
            node.compute(last, item.expression);
        }
    }
}
