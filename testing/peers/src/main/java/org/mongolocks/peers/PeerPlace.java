package org.mongolocks.peers;

import java.time.Duration;

/**
 * Where the locks of a run are.
 *
 * @param uri the connection string of the server; through a proxy, if there is one
 * @param database the database or schema of all runs, or a prefix; it is dropped at the end
 * @param collection the collection, table or prefix of this run
 * @param ttl the length of the leases
 */
public record PeerPlace(String uri, String database, String collection, Duration ttl) {}
