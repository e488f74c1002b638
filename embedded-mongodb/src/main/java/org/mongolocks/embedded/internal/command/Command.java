package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.engine.Call;

/** What a command does. */
@FunctionalInterface
public interface Command {
    /**
     * Runs the command.
     *
     * @return the reply, but for what all replies have
     * @throws org.mongolocks.embedded.internal.error.CommandError if it fails
     * @throws org.mongolocks.embedded.internal.engine.Park if it must wait; it is run again then, with what it noted in the call
     */
    Document run(Call call);
}
