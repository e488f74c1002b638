module org.example {
    requires org.mongolocks.sync;
    requires org.mongolocks.embedded;
}
