/** Pages, charts, JSON and command-line options of this project's programs. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.reporting {
    requires freemarker;
    requires transitive info.picocli;
    requires transitive org.mongodb.bson;
    requires static org.jspecify;

    exports org.mongolocks.reporting;
}
