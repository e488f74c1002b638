package org.mongolocks.protocol;

/**
 * Parts of the commands on a {@link org.mongolocks.spi.lease.LeaseDocument} that are the same for every strategy, as texts
 * for {@link ProtocolScript#sends(String, String)}: for {@link ProtocolFixture#NAME}, {@link ProtocolFixture#ME} and
 * {@link ProtocolFixture#WAITER}.
 *
 * @param format the mark of the strategy's documents
 * @param revisionField the field that counts changes
 */
public record LeaseCommands(String format, String revisionField) {
    private static final String LIST = "{$cond: [{$isArray: ['$waiting']}, '$waiting', []]}";
    private static final String PASSED = "{$cond: [{$isArray: ['$passed']}, '$passed', []]}";
    private static final String WAS_PASSED = "{$gte: ['$$place', 0]}";
    private static final String WENT_BEFORE = "{$slice: ['$$listed', {$min: ['$$position', 8]}]}";
    private static final String NO_OWNER = "{$eq: [{$ifNull: ['$owner', null]}, null]}";
    private static final String END = "{$add: ['$renewedAt', '$leaseMs']}";
    private static final String FREE_SINCE =
            "{$ifNull: [{$cond: [" + NO_OWNER + ", '$releasedAt', " + END + "]}, {$date: 0}]}";
    private static final String IS_TURN = """
            {$gte: [
              {$max: [{$subtract: ['$$NOW', <since>]}, {$subtract: [<since>, '$$NOW']}]},
              {$multiply: [{$min: ['$$position', 8]}, NumberLong(250)]}]}""".replace("<since>", FREE_SINCE);
    private static final String IS_FREE_IN_TURN =
            "{$and: [{$or: [" + NO_OWNER + ", {$lte: [" + END + ", '$$NOW']}]}, " + IS_TURN + "]}";

    private static final String FIELDS = """
            format: 1, owner: 1, holder: 1, fence: 1, acquiredAt: 1, renewedAt: 1, leaseMs: 1, releasedAt: 1, forcedAt: 1,
            <revision>: 1, now: '$$NOW', next: 1, turn: 1""";

    private static final String DECISION = """
            {$replaceWith: {$let: {vars: {listed: <list>}, in: {$let: {
              vars: {place: {$cond: [{$in: [NumberLong(<number>), '$$listed']}, -1,
                {$indexOfArray: [<passed>, NumberLong(<number>)]}]}}, in: {$let: {
              vars: {position: {$cond: [{$gte: ['$$place', 0]}, 0, {$indexOfArray: [
                {$concatArrays: ['$$listed', [NumberLong(<number>)]]}, NumberLong(<number>)]}]}},
              in: {$switch: {
                branches: [
                  {case: {$ne: ['$format', {$literal: '<format>'}]}, then: '$$ROOT'},
                  {case: {$eq: ['$owner', {$literal: 'me/00000000-0000-0000-0000-000000000001'}]}, then: <extended>},
                  {case: <is granted>, then: <granted>}<entry>],
                default: '$$ROOT'}}}}}}}}}""";

    private static final String DERIVED = """
            {$set: {
              forcedAt: {$cond: [<foreign>, '$forcedAt', {$cond: [<no owner>, '$forcedAt', '$$REMOVE']}]},
              passed: {$cond: [<foreign>, '$passed', {$cond: [{$ne: [<passed>, []]}, '$passed', '$$REMOVE']}]},
              waiting: {$cond: [<foreign>, '$waiting', {$cond: [<awaited>, '$waiting', '$$REMOVE']}]},
              next: {$cond: [<foreign>, '$next',
                {$cond: [<awaited>, {$cond: [<no owner>, '$$REMOVE', <first>]}, '$$REMOVE']}]},
              turn: {$cond: [<foreign>, '$turn',
                {$cond: [<awaited>, {$cond: [<no owner>, <first>, '$$REMOVE']}, '$$REMOVE']}]}}}""".replace("<foreign>", "{$ne: ['$format', {$literal: '<format>'}]}")
            .replace("<awaited>", "{$ne: [" + LIST + ", []]}")
            .replace("<no owner>", NO_OWNER)
            .replace("<first>", "{$slice: ['$waiting', 4]}");

    /**
     * Returns the projection of a command that is not sent for a waiter.
     *
     * @return the fields that are read, and the server's time
     */
    public String projection() {
        return filled("{" + FIELDS + "}");
    }

    /**
     * Returns the projection of an inspection.
     *
     * @return the same with the number of waiters
     */
    public String projectionWithCount() {
        return filled("{" + FIELDS + ", waiters: {$size: " + LIST + "}}");
    }

    /**
     * Returns the projection of a command that is sent for a waiter.
     *
     * @return the same with its position
     */
    public String projectionOfWaiter() {
        return filled("{" + FIELDS + ", position: {$indexOfArray: [" + LIST + ", NumberLong(" + ProtocolFixture.WAITER
                + ")]}}");
    }

    /**
     * Returns the expression for the token of a new grant: the server's time in milliseconds, or the next number if that is
     * larger.
     *
     * @return the expression
     */
    public static String nextToken() {
        return "{$max: [{$add: [{$ifNull: ['$fence', NumberLong(0)]}, NumberLong(1)]}, {$toLong: '$$NOW'}]}";
    }

    /**
     * Returns the update that acquires the lock in a new document, or in that of a released lock.
     *
     * @param revision the expression for the field that counts changes
     * @param fields further fields of the grant, each after a comma
     * @return a pipeline
     */
    public String created(String revision, String fields) {
        return "[{$set: {" + grantedFields(nextToken(), revision) + fields + ", forcedAt: '$$REMOVE'}}]";
    }

    /**
     * Returns the update that acquires the lock, extends the lease, or leaves the document as it is.
     *
     * @param token the expression for the token of a new grant
     * @param fields further fields of a new grant, each after a comma
     * @return a pipeline
     */
    public String acquireOrExtend(String token, String fields) {
        return pipeline(IS_FREE_IN_TURN, extended(), granted(token, fields), "-1", "");
    }

    /**
     * Returns the update that grants the lock in the turn of {@link ProtocolFixture#WAITER}, or adds that waiter to the list.
     *
     * @param token the token
     * @param fields further fields of the grant, each after a comma
     * @return a pipeline
     */
    public String grantedInTurn(String token, String fields) {
        return pipeline(IS_TURN, "'$$ROOT'", granted(token, fields), waiter(), added());
    }

    /**
     * Returns the update that adds {@link ProtocolFixture#WAITER} to the list, and does no more.
     *
     * @return a pipeline
     */
    public String registered() {
        return pipeline("false", "'$$ROOT'", "'$$ROOT'", waiter(), added());
    }

    /**
     * Returns the same for an upsert.
     *
     * @return a pipeline
     */
    public String created() {
        return "[{$set: {releasedAt: {$cond: [" + NO_OWNER
                + ", {$ifNull: ['$releasedAt', '$$NOW']}, '$releasedAt']},"
                + " renewedAt: {$ifNull: ['$renewedAt', '$$NOW']}}}, "
                + registered().substring(1);
    }

    /**
     * Returns the update that removes {@link ProtocolFixture#WAITER} from the list.
     *
     * @return a pipeline
     */
    public String unregistered() {
        return filled("[{$set: {waiting: " + without(waiter(), LIST) + ", passed: " + without(waiter(), PASSED) + "}}, "
                + DERIVED + "]");
    }

    private String pipeline(String isGranted, String extended, String granted, String number, String entry) {
        return filled("[" + DECISION + ", " + DERIVED + "]")
                .replace("<is granted>", isGranted)
                .replace("<extended>", extended)
                .replace("<granted>", granted)
                .replace("<entry>", entry)
                .replace("<number>", number)
                .replace("<passed>", PASSED);
    }

    private String extended() {
        return "{$mergeObjects: ['$$ROOT', {renewedAt: {$max: ['$renewedAt', '$$NOW']},"
                + " leaseMs: {$max: [NumberLong(10000), '$leaseMs']}, " + nextRevision() + "}]}";
    }

    private String granted(String token, String fields) {
        return """
                {$mergeObjects: ['$$ROOT', {
                  <grant><fields>,
                  waiting: <rest>,
                  passed: {$slice: [<before>, -8]}}]}""".replace("<grant>", grantedFields(token, nextRevision()))
                .replace("<rest>", without("<number>", "{$slice: ['$$listed', '$$position', 1000]}"))
                .replace(
                        "<before>",
                        without(
                                "<number>",
                                "{$concatArrays: [" + notIn(WENT_BEFORE, "<passed>") + ", "
                                        + notIn("<passed>", WENT_BEFORE) + "]}"))
                .replace("<fields>", fields);
    }

    private static String grantedFields(String token, String revision) {
        return """
                owner: {$literal: 'me/00000000-0000-0000-0000-000000000001'},
                holder: {$literal: {host: '$host', pid: NumberLong(7), thread: '$thread', note: '$note'}},
                fence: <token>,
                acquiredAt: '$$NOW',
                renewedAt: '$$NOW',
                leaseMs: NumberLong(10000),
                <revision>""".replace("<token>", token).replace("<revision>", revision);
    }

    /**
     * Returns the field that counts changes, incremented by a pipeline.
     *
     * @return the field and its expression
     */
    public String nextRevision() {
        return filled("<revision>: {$add: [{$ifNull: ['$<revision>', NumberLong(0)]}, NumberLong(1)]}");
    }

    private static String added() {
        return """
                , {case: {$or: [<was passed>, {$and: [
                    {$not: [{$in: [NumberLong(<number>), '$$listed']}]}, {$lt: [{$size: '$$listed'}, 1000]}]}]},
                  then: {$mergeObjects: ['$$ROOT', {
                    waiting: {$cond: [<was passed>,
                      {$concatArrays: [<behind>, '$$listed']},
                      {$concatArrays: ['$$listed', [NumberLong(<number>)]]}]},
                    passed: <passed>}]}}""".replace("<was passed>", WAS_PASSED)
                .replace("<behind>", notIn("'$$listed'", "{$slice: [<passed>, '$$place', 8]}"));
    }

    private static String without(String number, String list) {
        return "{$filter: {input: " + list + ", cond: {$ne: ['$$this', NumberLong(" + number + ")]}}}";
    }

    private static String notIn(String other, String list) {
        return "{$filter: {input: " + list + ", cond: {$not: [{$in: ['$$this', " + other + "]}]}}}";
    }

    private static String waiter() {
        return Long.toString(ProtocolFixture.WAITER);
    }

    private String filled(String text) {
        return text.replace("<list>", LIST)
                .replace("<passed>", PASSED)
                .replace("<format>", format)
                .replace("<revision>", revisionField);
    }
}
