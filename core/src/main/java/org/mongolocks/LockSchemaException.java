package org.mongolocks;

import java.io.Serial;
import java.util.List;

/**
 * A refusal to build a client, because of the collections of its strategy. Nothing was created or changed.
 *
 * <p>With every {@link SchemaMode}: a collection has an option, an index or a shard key with which locks are not exclusive
 * or their documents are lost. Choose another collection, or stop all its clients and run {@link #commands()}.
 *
 * <p>With {@link SchemaMode#VALIDATE} also: a collection or index is missing or different. Run {@link #commands()}, or
 * build the client with another mode: no lock needs an index to be correct.
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
     * @param problems what was found or is missing, a phrase each
     * @param commands what mends it, each a command for MongoDB's shell in the database of the locks, in order; empty if
     *     only another collection does
     */
    public LockSchemaException(String task, List<String> problems, List<String> commands) {
        super(task + " was refused: " + String.join("; ", problems)
                + (commands.isEmpty()
                        ? ". Choose another collection"
                        : ". Run in the database of the locks, or choose another collection: "
                                + String.join("; ", commands)));
        this.problems = problems.toArray(String[]::new);
        this.commands = commands.toArray(String[]::new);
    }

    /**
     * Lists what was found or is missing.
     *
     * @return a phrase each
     */
    public List<String> problems() {
        return List.of(problems);
    }

    /**
     * Lists what mends it.
     *
     * @return commands for MongoDB's shell, in order
     */
    public List<String> commands() {
        return List.of(commands);
    }
}
