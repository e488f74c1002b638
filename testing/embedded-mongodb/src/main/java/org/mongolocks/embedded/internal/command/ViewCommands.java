package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.View;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.work.Workspace;

/** The effect of create, drop and collMod on views. */
final class ViewCommands {
    private static final int OPTION_NOT_SUPPORTED_ON_VIEW = 167;
    private static final Set<String> FOR_COLLECTIONS = Set.of(
            "capped", "size", "max", "validator", "validationLevel", "validationAction", "idIndex", "autoIndexId");

    private ViewCommands() {}

    /** Creates a view. */
    static void create(Call call, Fields fields, Namespace namespace) {
        CollectionModification.require(fields.has("viewOn"), "'pipeline' requires 'viewOn' to also be specified");
        for (String option : FOR_COLLECTIONS) {
            CollectionModification.require(!fields.has(option), "option not supported on a view: " + option);
        }
        if (call.transaction() != null) {
            throw new CommandError(
                    ErrorCode.NOT_SUPPORTED_IN_TRANSACTION, "Cannot create a view in a multi-document transaction.");
        }
        View view = view(call, fields, namespace, CollectionCommands.collation(fields));
        Namespace definitions = new Namespace(namespace.db(), View.DEFINITIONS);
        Workspace workspace = call.workspace();
        CollectionState existing = workspace.catalog().get(definitions);
        workspace.insert(
                existing == null ? workspace.create(definitions, CollectionOptions.NONE) : existing, view.definition());
    }

    private static View view(Call call, Fields fields, Namespace namespace, @Nullable Document collation) {
        List<?> pipeline = fields.array("pipeline");
        Namespace on = new Namespace(namespace.db(), fields.requiredString("viewOn")).checked();
        View view = new View(namespace, on, pipeline == null ? List.of() : pipeline, collation);
        Catalog catalog = call.workspace().catalog();
        view.checkDepth(catalog);
        View shown = View.find(catalog, on);
        if (shown != null && !ValueOrder.same(shown.collation(), collation)) {
            throw new CommandError(
                    OPTION_NOT_SUPPORTED_ON_VIEW, "View " + namespace + " has conflicting collation with view " + on);
        }
        new PipelineParser(call.scope()).parse(view.pipeline());
        return view;
    }

    /** Drops the view that the command names; whether there is one. */
    static boolean drop(Call call) {
        StoredRecord record = View.record(call.workspace().catalog(), call.namespace());
        if (record == null) {
            return false;
        }
        call.workspace().delete(definitions(call), record);
        return true;
    }

    private static CollectionState definitions(Call call) {
        return Objects.requireNonNull(call.workspace().catalog().get(new Namespace(call.db(), View.DEFINITIONS)));
    }

    /** Changes the view that the command names; whether there is one. */
    static boolean modify(Call call, Fields fields) {
        Store store = call.server().store();
        View old = View.find(store.catalog(), call.namespace());
        if (old == null) {
            return false;
        }
        CollectionModification.require(!fields.has("index"), "option not supported on a view: index");
        for (String option : FOR_COLLECTIONS) {
            CollectionModification.require(!fields.has(option), "option not supported on a view: " + option);
        }
        CollectionModification.require(
                fields.has("viewOn") == fields.has("pipeline"),
                "Must specify both 'viewOn' and 'pipeline' when modifying a view");
        if (fields.has("viewOn")) {
            Document changed =
                    view(call, fields, call.namespace(), old.collation()).definition();
            StoredRecord record = Objects.requireNonNull(View.record(store.catalog(), call.namespace()));
            store.commit(
                    store.catalog().with(definitions(call).updated(record, changed)),
                    new Change.Other(call.namespace()));
        }
        return true;
    }
}
