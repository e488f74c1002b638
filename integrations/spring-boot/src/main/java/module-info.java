/** Auto-configuration of the lock clients for Spring Boot. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.spring.boot {
    requires static com.fasterxml.jackson.annotation;
    requires transitive org.mongolocks;
    requires spring.beans;
    requires transitive spring.boot;
    requires spring.boot.autoconfigure;
    requires spring.context;
    requires spring.core;
    requires static micrometer.core;
    requires static org.jspecify;
    requires static org.mongolocks.leader;
    requires static org.mongolocks.micrometer;
    requires static org.mongolocks.reactive;
    requires static org.mongolocks.shedlock;
    requires static org.mongolocks.spring;
    requires static org.mongolocks.sync;
    requires static spring.boot.actuator;
    requires static spring.boot.actuator.autoconfigure;
    requires static spring.boot.health;
    requires static spring.boot.mongodb;

    exports org.mongolocks.spring.boot;

    opens org.mongolocks.spring.boot;
}
