/** Elements of HTML and SVG, for the reports of this project. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.html {
    requires static org.jspecify;

    exports org.mongolocks.html to
            org.mongolocks.study;
}
