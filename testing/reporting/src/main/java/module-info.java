/** Pages, charts, JSON, command-line options and the server of this project's programs. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.reporting {
    requires freemarker;
    requires transitive info.picocli;
    requires transitive org.mongodb.bson;
    requires transitive org.mongodb.driver.core;
    requires transitive org.mongodb.driver.sync.client;
    requires transitive org.mongolocks.embedded;
    requires static transitive org.jspecify;

    exports org.mongolocks.reporting;
    exports org.mongolocks.reporting.server;
}
