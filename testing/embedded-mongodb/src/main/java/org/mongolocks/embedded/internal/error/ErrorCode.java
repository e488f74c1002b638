package org.mongolocks.embedded.internal.error;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The error codes of MongoDB that this server answers with, and their names. */
public final class ErrorCode {
    public static final int INTERNAL_ERROR = 1;
    public static final int BAD_VALUE = 2;
    public static final int FAILED_TO_PARSE = 9;
    public static final int UNAUTHORIZED = 13;
    public static final int TYPE_MISMATCH = 14;
    public static final int ILLEGAL_OPERATION = 20;
    public static final int INVALID_BSON = 22;
    public static final int NAMESPACE_NOT_FOUND = 26;
    public static final int INDEX_NOT_FOUND = 27;
    public static final int PATH_NOT_VIABLE = 28;
    public static final int CONFLICTING_UPDATE_OPERATORS = 40;
    public static final int CURSOR_NOT_FOUND = 43;
    public static final int NAMESPACE_EXISTS = 48;
    public static final int MAX_TIME_EXPIRED = 50;
    public static final int DOLLAR_PREFIXED_FIELD_NAME = 52;
    public static final int NOT_SINGLE_VALUE_FIELD = 54;
    public static final int EMPTY_FIELD_NAME = 56;
    public static final int COMMAND_NOT_FOUND = 59;
    public static final int IMMUTABLE_FIELD = 66;
    public static final int CANNOT_CREATE_INDEX = 67;
    public static final int INVALID_OPTIONS = 72;
    public static final int INVALID_NAMESPACE = 73;
    public static final int NO_REPLICATION_ENABLED = 76;
    public static final int INDEX_OPTIONS_CONFLICT = 85;
    public static final int INDEX_KEY_SPECS_CONFLICT = 86;
    public static final int WRITE_CONFLICT = 112;
    public static final int COMMAND_NOT_SUPPORTED = 115;
    public static final int CONFLICTING_OPERATION = 117;
    public static final int CURSOR_IN_USE = 143;
    public static final int COMMAND_FAILED = 125;
    public static final int COMMAND_NOT_SUPPORTED_ON_VIEW = 166;
    public static final int INVALID_PIPELINE_OPERATOR = 168;
    public static final int QUERY_PLAN_KILLED = 175;
    public static final int INCOMPLETE_TRANSACTION_HISTORY = 217;
    public static final int QUERY_FEATURE_NOT_ALLOWED = 224;
    public static final int TRANSACTION_TOO_OLD = 225;
    public static final int CURSOR_KILLED = 237;
    public static final int NOT_IMPLEMENTED = 238;
    public static final int SNAPSHOT_UNAVAILABLE = 246;
    public static final int NO_SUCH_TRANSACTION = 251;
    public static final int TRANSACTION_COMMITTED = 256;
    public static final int INVALID_RESUME_TOKEN = 260;
    public static final int EXCEEDED_TIME_LIMIT = 262;
    public static final int NOT_SUPPORTED_IN_TRANSACTION = 263;
    public static final int CHANGE_STREAM_FATAL_ERROR = 280;
    public static final int CHANGE_STREAM_HISTORY_LOST = 286;
    public static final int API_VERSION_ERROR = 322;
    public static final int API_STRICT_ERROR = 323;
    public static final int API_MISMATCH_ERROR = 347;
    public static final int NOT_MASTER = 10107;
    public static final int BSON_OBJECT_TOO_LARGE = 10334;
    public static final int DUPLICATE_KEY = 11000;
    public static final int INTERRUPTED_AT_SHUTDOWN = 11600;
    public static final int INTERRUPTED_BY_STATE_CHANGE = 11602;
    public static final int NOT_MASTER_NO_SLAVE_OK = 13435;
    public static final int MISSING_FIELD = 40414;
    public static final int UNKNOWN_FIELD = 40415;
    public static final int MISSING_EXTRA_INFO = 40671;

    // A fail point may ask for any of them, so the table holds more than the constants above.
    private static final String TABLE = """
            1 InternalError|2 BadValue|4 NoSuchKey|5 GraphContainsCycle|6 HostUnreachable|7 HostNotFound|8 UnknownError|
            9 FailedToParse|10 CannotMutateObject|11 UserNotFound|12 UnsupportedFormat|13 Unauthorized|14 TypeMismatch|
            15 Overflow|16 InvalidLength|17 ProtocolError|18 AuthenticationFailed|19 CannotReuseObject|20 IllegalOperation|
            21 EmptyArrayOperation|22 InvalidBSON|23 AlreadyInitialized|24 LockTimeout|25 RemoteValidationError|
            26 NamespaceNotFound|27 IndexNotFound|28 PathNotViable|29 NonExistentPath|30 InvalidPath|31 RoleNotFound|
            34 CannotBackfillArray|40 ConflictingUpdateOperators|43 CursorNotFound|46 LockBusy|47 NoMatchingDocument|
            48 NamespaceExists|50 MaxTimeMSExpired|51 ManualInterventionRequired|52 DollarPrefixedFieldName|53 InvalidIdField|
            54 NotSingleValueField|55 InvalidDBRef|56 EmptyFieldName|57 DottedFieldName|59 CommandNotFound|
            60 DatabaseNotFound|61 ShardKeyNotFound|62 OplogOperationUnsupported|63 StaleShardVersion|64 WriteConcernFailed|
            65 MultipleErrorsOccurred|66 ImmutableField|67 CannotCreateIndex|68 IndexAlreadyExists|70 ShardNotFound|
            71 ReplicaSetNotFound|72 InvalidOptions|73 InvalidNamespace|74 NodeNotFound|75 WriteConcernLegacyOK|
            76 NoReplicationEnabled|77 OperationIncomplete|79 UnknownReplWriteConcern|81 NoMatchParseContext|
            82 NoProgressMade|85 IndexOptionsConflict|86 IndexKeySpecsConflict|89 NetworkTimeout|90 CallbackCanceled|
            91 ShutdownInProgress|92 SecondaryAheadOfPrimary|93 InvalidReplicaSetConfig|94 NotYetInitialized|
            95 NotSecondary|96 OperationFailed|97 NoProjectionFound|98 DBPathInUse|100 UnsatisfiableWriteConcern|
            101 OutdatedClient|107 LockFailed|109 ConfigurationInProgress|111 NotExactValueField|112 WriteConflict|
            115 CommandNotSupported|116 DocTooLargeForCapped|117 ConflictingOperationInProgress|118 NamespaceNotSharded|
            120 OplogStartMissing|121 DocumentValidationFailure|123 NotAReplicaSet|125 CommandFailed|128 LockNotFound|
            133 FailedToSatisfyReadPreference|134 ReadConcernMajorityNotAvailableYet|135 StaleTerm|136 CappedPositionLost|
            139 JSInterpreterFailure|143 CursorInUse|146 ExceededMemoryLimit|148 ReadConcernMajorityNotEnabled|
            150 StaleEpoch|166 CommandNotSupportedOnView|167 OptionNotSupportedOnView|168 InvalidPipelineOperator|
            171 CannotIndexParallelArrays|175 QueryPlanKilled|181 AmbiguousIndexKeyPattern|182 InvalidViewDefinition|
            186 ClientMetadataCannotBeMutated|187 LinearizableReadConcernError|189 PrimarySteppedDown|192 FailPointEnabled|
            195 ViewPipelineMaxSizeExceeded|197 InvalidIndexSpecificationOption|
            202 NetworkInterfaceExceededTimeLimit|206 NoSuchSession|207 InvalidUUID|
            208 TooManyLocks|209 StaleClusterTime|211 KeyNotFound|213 DuplicateSession|215 DatabaseDropPending|
            216 ElectionInProgress|217 IncompleteTransactionHistory|218 UpdateOperationFailed|221 IndexModified|
            222 CloseChangeStream|223 IllegalOpMsgFlag|224 QueryFeatureNotAllowed|225 TransactionTooOld|
            226 AtomicityFailure|234 RetryChangeStream|237 CursorKilled|238 NotImplemented|239 SnapshotTooOld|
            241 ConversionFailure|242 CannotCreateCollection|244 TransactionAborted|246 SnapshotUnavailable|
            249 StaleDbVersion|250 StaleChunkHistory|251 NoSuchTransaction|252 ReentrancyNotAllowed|256 TransactionCommitted|
            257 TransactionTooLarge|260 InvalidResumeToken|261 TooManyLogicalSessions|262 ExceededTimeLimit|
            263 OperationNotSupportedInTransaction|264 TooManyFilesOpen|266 FailPointSetFailed|
            267 PreparedTransactionInProgress|272 MigrationConflict|275 ExchangePassthrough|276 IndexBuildAborted|
            278 UnsatisfiableCommitQuorum|279 ClientDisconnect|280 ChangeStreamFatalError|
            281 TransactionCoordinatorSteppingDown|283 WouldChangeOwningShard|285 IndexBuildAlreadyInProgress|
            286 ChangeStreamHistoryLost|290 TransactionExceededLifetimeLimitSeconds|291 NoQueryExecutionPlans|
            292 QueryExceededMemoryLimitNoDiskUseAllowed|9001 SocketException|10003 CannotGrowDocumentInCappedNamespace|
            10107 NotMaster|10334 BSONObjectTooLarge|11000 DuplicateKey|11600 InterruptedAtShutdown|11601 Interrupted|
            11602 InterruptedDueToReplStateChange|13388 StaleConfig|13435 NotMasterNoSlaveOk|13436 NotMasterOrSecondary|
            """;

    private static final Map<Integer, String> NAMES = Pattern.compile("[|\\n]+")
            .splitAsStream(TABLE)
            .map(entry -> entry.strip().split(" ", 2))
            .collect(Collectors.toUnmodifiableMap(entry -> Integer.valueOf(entry[0]), entry -> entry[1]));

    private ErrorCode() {}

    /** The name of a code in MongoDB 4.4; the codes that have none are called after the place that raised them. */
    public static String nameOf(int code) {
        return NAMES.getOrDefault(code, "Location" + code);
    }
}
