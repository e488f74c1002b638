package org.mongolocks.embedded.internal.command;

import static org.mongolocks.embedded.internal.engine.Trait.ADMIN_ONLY;
import static org.mongolocks.embedded.internal.engine.Trait.COUNTED;
import static org.mongolocks.embedded.internal.engine.Trait.OWN_TIME_LIMIT;
import static org.mongolocks.embedded.internal.engine.Trait.READ_CONCERN;
import static org.mongolocks.embedded.internal.engine.Trait.RETRYABLE;
import static org.mongolocks.embedded.internal.engine.Trait.SESSIONLESS;
import static org.mongolocks.embedded.internal.engine.Trait.TRANSACTIONAL;
import static org.mongolocks.embedded.internal.engine.Trait.TRANSACTION_END;
import static org.mongolocks.embedded.internal.engine.Trait.WRITE;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.CommandDefinition;
import org.mongolocks.embedded.internal.engine.Trait;

/** All commands by name. */
public final class CommandTable {
    private static final Map<String, CommandDefinition> BY_NAME = new HashMap<>();

    static {
        addWrites();
        addReads();
        addCollections();
        addSessions();
        addAdministration();
        addDiagnostics();
    }

    private CommandTable() {}

    /** The command with a name, or null. */
    public static @Nullable CommandDefinition find(String name) {
        return BY_NAME.get(name);
    }

    private static void add(String name, Command command, Trait... traits) {
        add(name, name, command, traits);
    }

    private static void add(String name, String alias, Command command, Trait... traits) {
        CommandDefinition definition = new CommandDefinition(name, alias, command, Set.of(traits));
        BY_NAME.put(name, definition);
        BY_NAME.put(alias, definition);
    }

    private static void addWrites() {
        add("insert", WriteCommands::insert, WRITE, RETRYABLE, TRANSACTIONAL, COUNTED);
        add("update", WriteCommands::update, WRITE, RETRYABLE, TRANSACTIONAL, COUNTED);
        add("delete", WriteCommands::delete, WRITE, RETRYABLE, TRANSACTIONAL, COUNTED);
        add("findAndModify", "findandmodify", FindAndModifyCommand::run, WRITE, RETRYABLE, TRANSACTIONAL);
    }

    private static void addReads() {
        add("find", FindCommand::run, READ_CONCERN, TRANSACTIONAL, COUNTED);
        add("getMore", GetMoreCommand::run, TRANSACTIONAL, COUNTED, OWN_TIME_LIMIT);
        add("killCursors", GetMoreCommand::kill, TRANSACTIONAL);
        // A pipeline may write in MongoDB, and so a write concern is allowed.
        add("aggregate", AggregateCommand::run, READ_CONCERN, TRANSACTIONAL, WRITE);
        add("count", CountCommands::count, READ_CONCERN);
        add("distinct", CountCommands::distinct, READ_CONCERN, TRANSACTIONAL);
    }

    private static void addCollections() {
        add("create", CollectionCommands::create, WRITE, TRANSACTIONAL);
        add("drop", CollectionCommands::drop, WRITE);
        add("dropDatabase", CollectionCommands::dropDatabase, WRITE);
        add("renameCollection", CollectionCommands::rename, WRITE, ADMIN_ONLY);
        add("collMod", CollectionCommands::modify, WRITE);
        add("createIndexes", IndexCommands::create, WRITE, TRANSACTIONAL);
        add("listIndexes", IndexCommands::list);
        add("dropIndexes", "deleteIndexes", IndexCommands::drop, WRITE);
        add("listCollections", ListCommands::collections);
        add("listDatabases", ListCommands::databases, ADMIN_ONLY);
    }

    private static void addSessions() {
        Trait[] end = {WRITE, TRANSACTIONAL, TRANSACTION_END, ADMIN_ONLY};
        add("commitTransaction", TransactionCommands::commit, end);
        add("abortTransaction", TransactionCommands::abort, end);
        add("startSession", SessionCommands::start);
        add("refreshSessions", SessionCommands::refresh);
        add("endSessions", SessionCommands::end);
        add("killSessions", SessionCommands::end);
    }

    private static void addAdministration() {
        add("getParameter", DiagnosticCommands::getParameter, ADMIN_ONLY);
        add("setParameter", DiagnosticCommands::setParameter, ADMIN_ONLY);
        add("configureFailPoint", DiagnosticCommands::configureFailPoint, ADMIN_ONLY);
        add("replSetGetStatus", DiagnosticCommands::replicaSetStatus, ADMIN_ONLY);
    }

    private static void addDiagnostics() {
        add("isMaster", "ismaster", HandshakeCommand::run, SESSIONLESS);
        add("ping", DiagnosticCommands::ping, SESSIONLESS);
        add("buildInfo", "buildinfo", DiagnosticCommands::buildInfo, SESSIONLESS);
        add("serverStatus", DiagnosticCommands::serverStatus);
        add("hostInfo", DiagnosticCommands::hostInfo);
        add("whatsmyuri", DiagnosticCommands::whatsMyUri, SESSIONLESS);
        add("connectionStatus", DiagnosticCommands::connectionStatus, SESSIONLESS);
        add("getCmdLineOpts", DiagnosticCommands::commandLine, ADMIN_ONLY);
        add("getLog", DiagnosticCommands::log, ADMIN_ONLY);
        add("getFreeMonitoringStatus", DiagnosticCommands::freeMonitoring, ADMIN_ONLY);
    }
}
