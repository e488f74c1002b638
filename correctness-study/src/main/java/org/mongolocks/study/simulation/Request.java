package org.mongolocks.study.simulation;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Optional;

/**
 * Is a command as it arrives at the server.
 *
 * @param client whose
 * @param command the command
 * @param awaitsMajority whether its answer waits until a majority has it
 * @param execution what a repeated command has in common with the first; empty if it is executed each time
 */
record Request(int client, Document command, boolean awaitsMajority, Optional<Object> execution) {}
