package org.mongolocks.benchmarks.server;

import com.mongodb.ConnectionString;
import com.mongodb.MongoException;
import org.mongolocks.benchmarks.console.UnusableInputException;

/** A parser of connection strings. Its error messages never contain a user name, a password or an option. */
final class ConnectionStrings {
    private static final String CREDENTIALS = "://.*@";
    private static final String OPTIONS = "\\?.*";

    private ConnectionStrings() {}

    static ConnectionString parse(String uri) {
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--uri is no connection string: " + fault(uri));
        } catch (MongoException e) {
            throw new UnusableInputException(
                    "--uri names a host that cannot be looked up: " + ConnectionErrors.gist(e));
        }
    }

    /**
     * Returns the error in a connection string. The message of the driver may quote the string; it is used only after
     * secrets have been removed from the string.
     */
    private static String fault(String uri) {
        String open = uri.replaceFirst(CREDENTIALS, "://").replaceFirst(OPTIONS, "");
        try {
            new ConnectionString(open);
            return "its user name, password or options cannot be read (special characters are percent-encoded)";
        } catch (IllegalArgumentException | MongoException e) {
            return ConnectionErrors.gist(e);
        }
    }
}
