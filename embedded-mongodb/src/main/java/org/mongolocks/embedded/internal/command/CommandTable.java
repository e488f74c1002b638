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
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** All commands by name. */
public final class CommandTable {
    private static final Map<String, CommandDefinition> BY_NAME = new HashMap<>();

    // Commands of MongoDB 4.4 that somebody may ask for.
    private static final Set<String> UNSUPPORTED = Set.of(
            "collStats",
            "collstats",
            "compact",
            "cloneCollectionAsCapped",
            "convertToCapped",
            "createUser",
            "currentOp",
            "dataSize",
            "dbHash",
            "dbhash",
            "dbStats",
            "dbstats",
            "explain",
            "features",
            "fsync",
            "geoSearch",
            "getLastError",
            "killAllSessionsByPattern",
            "killOp",
            "listCommands",
            "logRotate",
            "logout",
            "mapReduce",
            "mapreduce",
            "profile",
            "reIndex",
            "replSetFreeze",
            "replSetGetConfig",
            "replSetInitiate",
            "replSetReconfig",
            "replSetStepDown",
            "saslStart",
            "setFeatureCompatibilityVersion",
            "shutdown",
            "top",
            "usersInfo",
            "validate");

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

    /** The error for a command that is not in the table. */
    public static CommandError unknown(String name) {
        return UNSUPPORTED.contains(name)
                ? new CommandError(ErrorCode.NOT_IMPLEMENTED, name + " is not supported by the embedded server")
                : new CommandError(ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + name + "'");
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
        add(
                "insert",
                new CheckedCommand(WriteForms::insert, WriteCommands::insert),
                WRITE,
                RETRYABLE,
                TRANSACTIONAL,
                COUNTED);
        add(
                "update",
                new CheckedCommand(WriteForms::update, WriteCommands::update),
                WRITE,
                RETRYABLE,
                TRANSACTIONAL,
                COUNTED);
        add(
                "delete",
                new CheckedCommand(WriteForms::delete, WriteCommands::delete),
                WRITE,
                RETRYABLE,
                TRANSACTIONAL,
                COUNTED);
        add("findAndModify", "findandmodify", FindAndModifyCommand::run, WRITE, RETRYABLE, TRANSACTIONAL);
    }

    private static void addReads() {
        add("find", FindCommand::run, READ_CONCERN, TRANSACTIONAL, COUNTED);
        add(
                "getMore",
                new CheckedCommand(GetMoreCommand::check, GetMoreCommand::run),
                TRANSACTIONAL,
                COUNTED,
                OWN_TIME_LIMIT);
        add("killCursors", GetMoreCommand::kill, TRANSACTIONAL);
        // A pipeline may write in MongoDB, and so a write concern is allowed.
        add(
                "aggregate",
                new CheckedCommand(AggregateCommand::check, AggregateCommand::run),
                READ_CONCERN,
                TRANSACTIONAL,
                WRITE);
        add("count", CountCommands::count, READ_CONCERN);
        add("distinct", CountCommands::distinct, READ_CONCERN, TRANSACTIONAL);
    }

    private static void addCollections() {
        add("create", CollectionCommands::create, WRITE, TRANSACTIONAL);
        add("drop", CollectionCommands::drop, WRITE);
        add("dropDatabase", CollectionCommands::dropDatabase, WRITE);
        add("renameCollection", CollectionCommands::rename, WRITE, ADMIN_ONLY);
        add("collMod", CollectionModification::run, WRITE);
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
        add("killSessions", SessionCommands::kill);
        add("killAllSessions", SessionCommands::killAll);
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
