package org.mongolocks.embedded.internal.command;

import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.ADMIN_ONLY;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.ANY_MEMBER;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.AWAITS_TOPOLOGY;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.LOCAL_READ_CONCERN;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.OWN_TIME_LIMIT;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.READ_CONCERN;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.RETRYABLE;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.SECONDARY_ALLOWED;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.SESSIONLESS;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.TRANSACTIONAL;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.TRANSACTION_END;
import static org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature.WRITE;

import de.bwaldvogel.mongo.bson.Document;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.admin.DiagnosticCommands;
import org.mongolocks.embedded.internal.admin.HandshakeCommand;
import org.mongolocks.embedded.internal.admin.SessionCommands;
import org.mongolocks.embedded.internal.admin.StepDownCommand;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.CommandDefinition;
import org.mongolocks.embedded.internal.engine.CommandDefinition.Commands;
import org.mongolocks.embedded.internal.engine.CommandDefinition.ServerFeature;
import org.mongolocks.embedded.internal.engine.Engine;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.state.ServerConfig;

/** All commands by name. */
public final class CommandTable implements Commands {
    private static final Map<String, CommandDefinition> BY_NAME = new HashMap<>();

    // Commands of MongoDB that a client may send.
    private static final Set<String> UNSUPPORTED = Set.of("""
            collStats collstats compact cloneCollectionAsCapped convertToCapped createUser currentOp dataSize dbHash
            dbhash dbStats dbstats distinct enableSharding explain features fsync geoSearch getCmdLineOpts
            getFreeMonitoringStatus getLastError getLog hostInfo killAllSessionsByPattern killOp killSessions
            listCommands logRotate logout mapReduce mapreduce profile reIndex refreshSessions replSetFreeze
            replSetGetConfig replSetGetStatus replSetInitiate replSetReconfig saslStart setFeatureCompatibilityVersion
            setParameter shardCollection shutdown startSession top usersInfo validate whatsmyuri""".split("\\s+"));

    static {
        UNSUPPORTED.forEach(name -> add(name, CommandTable::refuse, call -> new Document(), SESSIONLESS, ANY_MEMBER));
        addWrites();
        addReads();
        addCollections();
        addSessions();
        addAdministration();
        addDiagnostics();
    }

    private CommandTable() {}

    /** A new engine that knows all commands. */
    public static Engine engine(ServerConfig config) {
        return new Engine(config, new CommandTable());
    }

    @Override
    public @Nullable CommandDefinition find(String name) {
        return BY_NAME.get(name);
    }

    /** Whether a command has this name that answers each change of the topology. */
    public static boolean isHandshake(String name) {
        CommandDefinition definition = BY_NAME.get(name);
        return definition != null && definition.is(AWAITS_TOPOLOGY);
    }

    private static void refuse(Call call) {
        throw CommandError.unsupported(call.definition().name());
    }

    private static void add(String name, Function<Call, Document> body, ServerFeature... traits) {
        add(new CommandDefinition(name, name, call -> {}, body, Set.of(traits)));
    }

    private static void add(String name, Consumer<Call> form, Function<Call, Document> body, ServerFeature... traits) {
        add(new CommandDefinition(name, name, form, body, Set.of(traits)));
    }

    private static void add(String name, String alias, Function<Call, Document> body, ServerFeature... traits) {
        add(new CommandDefinition(name, alias, call -> {}, body, Set.of(traits)));
    }

    private static void add(CommandDefinition definition) {
        BY_NAME.put(definition.name(), definition);
        BY_NAME.put(definition.alias(), definition);
    }

    private static void addWrites() {
        add("insert", WriteCommands::insertForm, WriteCommands::insert, WRITE, RETRYABLE, TRANSACTIONAL);
        add("update", WriteCommands::updateForm, WriteCommands::update, WRITE, RETRYABLE, TRANSACTIONAL);
        add("delete", WriteCommands::deleteForm, WriteCommands::delete, WRITE, RETRYABLE, TRANSACTIONAL);
        add("findAndModify", "findandmodify", FindAndModifyCommand::run, WRITE, RETRYABLE, TRANSACTIONAL);
    }

    private static void addReads() {
        add("find", FindCommand::run, READ_CONCERN, TRANSACTIONAL, SECONDARY_ALLOWED);
        add("getMore", GetMoreCommand::check, GetMoreCommand::run, TRANSACTIONAL, OWN_TIME_LIMIT, ANY_MEMBER);
        add("killCursors", GetMoreCommand::kill, TRANSACTIONAL, ANY_MEMBER);
        // A pipeline may write in MongoDB, and so a write concern is allowed.
        add(
                "aggregate",
                AggregateCommand::check,
                AggregateCommand::run,
                READ_CONCERN,
                TRANSACTIONAL,
                WRITE,
                SECONDARY_ALLOWED);
        add("count", CountCommand::run, READ_CONCERN, SECONDARY_ALLOWED);
    }

    private static void addCollections() {
        add("create", CollectionCommands::create, WRITE, TRANSACTIONAL, LOCAL_READ_CONCERN);
        add("drop", CollectionCommands::drop, WRITE);
        add("dropDatabase", CollectionCommands::dropDatabase, WRITE);
        add("renameCollection", CollectionCommands::rename, WRITE, ADMIN_ONLY);
        add("collMod", IndexCommands::modify, WRITE);
        add("createIndexes", IndexCommands::create, WRITE, TRANSACTIONAL, LOCAL_READ_CONCERN);
        add("listIndexes", IndexCommands::list, SECONDARY_ALLOWED);
        add("dropIndexes", "deleteIndexes", IndexCommands::drop, WRITE);
        add("listCollections", ListCommands::collections, SECONDARY_ALLOWED);
        add("listDatabases", ListCommands::databases, ADMIN_ONLY, SECONDARY_ALLOWED);
    }

    private static void addSessions() {
        ServerFeature[] end = {WRITE, TRANSACTIONAL, TRANSACTION_END, ADMIN_ONLY};
        add("commitTransaction", SessionCommands::commit, end);
        add("abortTransaction", SessionCommands::abort, end);
        add("endSessions", SessionCommands::end, ANY_MEMBER);
        add("killAllSessions", SessionCommands::killAll, ANY_MEMBER);
    }

    private static void addAdministration() {
        add("getParameter", DiagnosticCommands::getParameter, ADMIN_ONLY, ANY_MEMBER);
        add("configureFailPoint", DiagnosticCommands::configureFailPoint, ADMIN_ONLY, ANY_MEMBER);
        add("replSetStepDown", StepDownCommand::run, ADMIN_ONLY, ANY_MEMBER);
    }

    private static void addDiagnostics() {
        add("hello", HandshakeCommand::hello, SESSIONLESS, ANY_MEMBER, AWAITS_TOPOLOGY);
        add("isMaster", "ismaster", HandshakeCommand::isMaster, SESSIONLESS, ANY_MEMBER, AWAITS_TOPOLOGY);
        add("ping", DiagnosticCommands::ping, SESSIONLESS, ANY_MEMBER);
        add("buildInfo", "buildinfo", DiagnosticCommands::buildInfo, SESSIONLESS, ANY_MEMBER);
        add("serverStatus", DiagnosticCommands::serverStatus, ANY_MEMBER);
        add("connectionStatus", DiagnosticCommands::connectionStatus, SESSIONLESS, ANY_MEMBER);
    }
}
