package org.mongolocks.embedded.corpus;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A step of a scenario: a command with its reply, or a time that passes.
 *
 * @param command null for a time that passes
 */
record Step(String connection, String db, @Nullable BsonDocument command, BsonDocument reply, long sleepMillis) {}
