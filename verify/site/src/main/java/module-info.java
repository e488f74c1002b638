/** Makes the documentation site. A program; nothing is exported. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.site {
    requires org.mongolocks;
    requires org.mongolocks.reporting;
    requires org.commonmark;
    requires org.commonmark.ext.gfm.tables;
    requires org.commonmark.ext.heading.anchor;
    requires static org.jspecify;

    // Templates are resources of this package, and read its objects.
    opens org.mongolocks.site;

    uses org.mongolocks.spi.LockStrategy;
}
