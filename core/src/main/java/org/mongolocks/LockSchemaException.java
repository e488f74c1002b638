package org.mongolocks;

import java.io.Serial;
import java.util.List;

/**
 * An exception thrown when a client cannot be built because of the collections of its strategy. Nothing was created or
 * changed.
 *
 * <p>With every {@link SchemaMode}: a collection has an option, an index or a shard key with which locks are not
 * exclusive or lock documents are lost. Choose another collection, or stop all its clients and run {@link #commands()}.
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
     * Creates an exception.
     *
     * @param task the operation, with strategy and collection
     * @param problems the problems, a phrase each
     * @param commands the commands for MongoDB's shell that fix them, in the database of the locks, in order; empty if
     *     only another collection helps
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
     * Returns the problems that were found.
     *
     * @return a phrase for each problem
     */
    public List<String> problems() {
        return List.of(problems);
    }

    /**
     * Returns the commands that fix the problems.
     *
     * @return commands for MongoDB's shell, in order
     */
    public List<String> commands() {
        return List.of(commands);
    }
}
