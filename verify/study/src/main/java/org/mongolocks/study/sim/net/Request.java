package org.mongolocks.study.sim.net;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Optional;

/**
 * A command that has arrived at the server.
 *
 * @param client the client
 * @param command the command
 * @param awaitsMajority whether its reply waits for a majority
 * @param execution identifies the command and its retries; empty if each is executed
 */
public record Request(int client, Document command, boolean awaitsMajority, Optional<Object> execution) {}
