/**
 * A lock registry of Spring Integration on MongoDB: {@link org.mongolocks.spring.integration.MongoLockRegistry}; and
 * its events of leader election: {@link org.mongolocks.spring.integration.LeaderElectionInitiator}.
 */
package org.mongolocks.spring.integration;
