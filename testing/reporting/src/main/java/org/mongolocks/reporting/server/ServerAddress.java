package org.mongolocks.reporting.server;

import java.util.Locale;
import java.util.regex.Pattern;

/** The addresses of servers other than MongoDB, each of which an option with the name of the server takes. */
public enum ServerAddress {
    /** A URI. */
    REDIS("redis://HOST:PORT", "rediss?://[^\\s/]*[^\\s/:@]+:\\d{1,5}(/\\d*)?"),
    /** A connect string. */
    ZOOKEEPER("HOST:PORT", "[^\\s:,/]+:\\d{1,5}(,[^\\s:,/]+:\\d{1,5})*(/\\S*)?"),
    /** An endpoint. */
    ETCD("HOST:PORT", "[^\\s:,/@]+:\\d{1,5}"),
    /** A URL of JDBC. */
    POSTGRESQL(
            "jdbc:postgresql://HOST:PORT/DATABASE?user=USER",
            "jdbc:postgresql://[^\\s:,/?@]+(:\\d{1,5})?(,[^\\s:,/?@]+(:\\d{1,5})?)*/[^\\s/?]+(\\?\\S*)?");

    private final String form;
    private final Pattern syntax;

    ServerAddress(String form, String syntax) {
        this.form = form;
        this.syntax = Pattern.compile(syntax);
    }

    /** Returns the name of the option. */
    public String option() {
        return "--" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Checks an address. The message does not repeat it, because it may contain a password.
     *
     * @throws UnusableInputException if it is malformed
     */
    public void require(String address) {
        if (!syntax.matcher(address).matches()) {
            throw new UnusableInputException(option() + " is no address such as " + form + " (see --help)");
        }
    }
}
