/** The annotation {@code @Locked} for methods of Spring beans. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.spring {
    requires transitive org.mongolocks;
    requires static org.mongolocks.sync;
    requires static org.mongolocks.reactive;
    requires static reactor.core;
    requires static org.reactivestreams;
    requires transitive spring.beans;
    requires transitive spring.context;
    requires transitive spring.core;
    requires spring.aop;
    requires spring.expression;
    requires static spring.tx;
    requires static org.jspecify;

    exports org.mongolocks.spring;

    opens org.mongolocks.spring to
            spring.beans,
            spring.context,
            spring.core;
}
