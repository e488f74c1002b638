/** Lock libraries behind one interface. */
@org.jspecify.annotations.NullMarked
module org.mongolocks.peers {
    requires com.zaxxer.hikari;
    requires java.sql;
    requires lettuce.core;
    requires mongock.driver.api;
    requires mongock.driver.core;
    requires mongodb.sync.v4.driver;
    requires net.javacrumbs.shedlock.core;
    requires net.javacrumbs.shedlock.provider.mongo;
    requires org.mongodb.bson;
    requires org.mongodb.driver.core;
    requires org.mongodb.driver.sync.client;
    requires org.mongolocks.strategy.findandmodifycounter;
    requires org.mongolocks.sync;
    requires redisson;
    requires spring.context;
    requires spring.core;
    requires spring.data.redis;
    requires spring.integration.core;
    requires spring.integration.jdbc;
    requires spring.integration.redis;
    requires spring.jdbc;
    requires spring.tx;
    requires static org.jspecify;

    exports org.mongolocks.peers;

    uses org.mongolocks.peers.PeerLibrary;
}
