package org.mongolocks;

import java.io.Serial;
import java.util.List;

/**
 * Says that a client with {@link SchemaMode#VALIDATE} did not find the collections and indexes that its strategy wants.
 * Nothing was created. Run {@link #commands()}, or build the client with another {@link SchemaMode}: no lock needs an
 * index to be correct.
 */
public class LockSchemaException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String[] problems;
    private final String[] commands;

    /**
     * Makes an exception.
     *
     * @param task what was to be done, with which strategy and collection
     * @param problems what is missing or different, a phrase each
     * @param commands what creates it, each a command for MongoDB's shell in the database of the locks, in order
     */
    public LockSchemaException(String task, List<String> problems, List<String> commands) {
        super(task + " was refused, for its schema is to be there already: " + String.join("; ", problems)
                + ". To create it, run in the database of the locks: " + String.join("; ", commands));
        this.problems = problems.toArray(String[]::new);
        this.commands = commands.toArray(String[]::new);
    }

    /**
     * Lists what is missing or different.
     *
     * @return a phrase each
     */
    public List<String> problems() {
        return List.of(problems);
    }

    /**
     * Lists what creates it.
     *
     * @return commands for MongoDB's shell, in order
     */
    public List<String> commands() {
        return List.of(commands);
    }
}
