package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.function.Consumer;
import org.mongolocks.embedded.internal.engine.Call;

/**
 * A command whose form is checked before its session is looked at.
 *
 * @param form what checks the form
 * @param body what does the work
 */
record CheckedCommand(Consumer<Call> form, Command body) implements Command {
    @Override
    public void check(Call call) {
        form.accept(call);
    }

    @Override
    public Document run(Call call) {
        return body.run(call);
    }
}
