package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** collMod: changes when documents expire, and hides an index or shows it again. */
final class CollectionModification {
    private static final int AMBIGUOUS_KEY_PATTERN = 181;
    private static final String EXPIRY = "expireAfterSeconds";
    private static final String HIDDEN = "hidden";

    private static final Set<String> OPTIONS = Set.of(
            "index", "validator", "validationLevel", "validationAction", "viewOn", "pipeline", "recordPreImages");

    private final CollectionState collection;
    private final Document reply = new Document();

    private CollectionModification(CollectionState collection) {
        this.collection = collection;
    }

    static Document run(Call call) {
        Store store = call.server().store();
        Fields fields = Fields.ofOptions(call.command(), OPTIONS, "unknown option to collMod: ");
        fields.refuse("recordPreImages");
        if (ViewCommands.modify(call, fields)) {
            return new Document();
        }
        CollectionState collection = store.catalog().get(call.namespace());
        if (collection == null) {
            throw new CommandError(ErrorCode.NAMESPACE_NOT_FOUND, "ns does not exist");
        }
        require(!fields.has("viewOn") && !fields.has("pipeline"), "option not supported on a collection: viewOn");
        if (fields.has("validator") || fields.has("validationLevel") || fields.has("validationAction")) {
            CollectionAccess.awaitFree(call, collection.namespace());
            collection = validated(store, collection, fields);
        }
        if (!(fields.get("index") instanceof Document asked)) {
            return new Document();
        }
        CollectionAccess.awaitFree(call, collection.namespace());
        return new CollectionModification(collection).modify(store, asked);
    }

    // Options that are not given stay as they were.
    private static CollectionState validated(Store store, CollectionState collection, Fields fields) {
        CollectionOptions options = collection.options();
        Document old = options.validation();
        Document merged = old == null ? new Document() : old.clone();
        CollectionCommands.validation(fields, collection.namespace());
        for (String option : List.of("validator", "validationLevel", "validationAction")) {
            if (fields.has(option)) {
                merged.put(option, fields.get(option));
            }
        }
        CollectionState changed = collection.with(options.validatedBy(CollectionOptions.validation(merged)));
        store.commit(store.catalog().with(changed), new Change.Other(collection.namespace()));
        return changed;
    }

    private Document modify(Store store, Document asked) {
        checkForm(asked);
        IndexState index = find(asked);
        IndexSpec spec = withVisibility(withExpiry(index.spec(), asked.get(EXPIRY)), asked.get(HIDDEN));
        List<IndexState> indexes = new ArrayList<>(collection.indexes());
        indexes.set(indexes.indexOf(index), index.redefined(spec));
        CollectionState changed = collection.withIndexes(indexes, collection.visibleFrom());
        store.commit(store.catalog().with(changed), new Change.Other(collection.namespace()));
        return reply;
    }

    private static void checkForm(Document asked) {
        require(
                !asked.containsKey("name") || !asked.containsKey("keyPattern"),
                "Cannot specify both key pattern and name.");
        require(
                asked.containsKey("name") || asked.containsKey("keyPattern"),
                "Must specify either index name or key pattern.");
        requireType(asked, "name", String.class, "Index name must be a string.");
        requireType(asked, "keyPattern", Document.class, "Key pattern must be an object.");
        require(asked.containsKey(EXPIRY) || asked.containsKey(HIDDEN), "no expireAfterSeconds or hidden field");
        requireType(asked, EXPIRY, Number.class, "expireAfterSeconds field must be a number");
        requireType(asked, HIDDEN, Boolean.class, "hidden field must be a boolean");
    }

    private static void requireType(Document asked, String field, Class<?> type, String message) {
        require(!asked.containsKey(field) || type.isInstance(asked.get(field)), message);
    }

    /** Refuses options unless they are right. */
    static void require(boolean isRight, String message) {
        if (!isRight) {
            throw CommandError.invalidOptions(message);
        }
    }

    private IndexState find(Document asked) {
        List<IndexState> meant = collection.indexes().stream()
                .filter(index -> isMeant(index.spec(), asked))
                .toList();
        Object wanted = asked.containsKey("name") ? asked.get("name") : ShellText.of(asked.get("keyPattern"));
        if (meant.isEmpty()) {
            throw new CommandError(
                    ErrorCode.INDEX_NOT_FOUND, "cannot find index " + wanted + " for ns " + collection.namespace());
        }
        if (meant.size() > 1) {
            throw new CommandError(
                    AMBIGUOUS_KEY_PATTERN,
                    "index keyPattern " + wanted + " matches " + meant.size() + " indexes, must use index name.");
        }
        return meant.get(0);
    }

    private static boolean isMeant(IndexSpec spec, Document asked) {
        return asked.containsKey("name")
                ? spec.name().equals(asked.get("name"))
                : ValueOrder.same(spec.keyPattern(), asked.get("keyPattern"));
    }

    private IndexSpec withExpiry(IndexSpec spec, @Nullable Object seconds) {
        if (!(seconds instanceof Number wanted)) {
            return spec;
        }
        Number old = spec.expireAfterSeconds();
        require(old != null, "no expireAfterSeconds field to update");
        reply.append("expireAfterSeconds_old", old).append("expireAfterSeconds_new", wanted);
        return ValueOrder.same(old, wanted) ? spec : spec.expiringAfter(Numbers.whole(wanted));
    }

    // Hiding a hidden index, or showing a visible one, is not reported.
    private IndexSpec withVisibility(IndexSpec spec, @Nullable Object hidden) {
        if (!(hidden instanceof Boolean isHidden) || spec.isHidden() == isHidden) {
            return spec;
        }
        if (spec.isId()) {
            throw CommandError.badValue("can't hide _id index");
        }
        reply.append("hidden_old", !isHidden).append("hidden_new", isHidden);
        return spec.hidden(isHidden);
    }
}
