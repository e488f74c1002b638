package org.mongolocks.study.exhaustive;

import de.bwaldvogel.mongo.bson.Document;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.exhaustive.ClientState.Delivery;

/**
 * A small world at one moment; immutable.
 *
 * @param millis the time, by the clocks of all clients
 * @param moment how often time has passed
 * @param strays requests that no client waits for, but that may still arrive, in the order of their digests
 * @param newestToken the largest token that was granted
 * @param faultsLeft how many faults may still happen
 * @param complaint what is wrong in it; null if nothing is
 * @param trail how it was reached
 */
record WorldState(
        ServerState server,
        long millis,
        int moment,
        List<ClientState> clients,
        List<Stray> strays,
        long newestToken,
        int faultsLeft,
        @Nullable String complaint,
        Chain<Move> trail) {

    private static final int STATE_BYTES = 2 * 8 + 2;

    /** A request that may arrive late. */
    record Stray(int client, String label, Digested<Document> request) {
        private static final int BYTES = 1 + 16;

        private void append(ByteBuffer bytes) {
            bytes.put((byte) client);
            Digested.append(bytes, request);
        }
    }

    /**
     * What has led to a state.
     *
     * @param millis the time after it
     * @param client whose request it is about, or {@link #SERVER}
     * @param faultsLeft how many faults may happen after it
     * @param holders the clients that believed before it that they hold the lock
     */
    record Move(long millis, int client, String what, int faultsLeft, List<Integer> holders) {
        static final int SERVER = -1;
    }

    ClientState client(int id) {
        return clients.get(id);
    }

    /** Returns a digest of all that makes a difference later. */
    UUID digest() {
        int size = ServerState.BYTES + STATE_BYTES + clients.size() * ClientState.BYTES + strays.size() * Stray.BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(size);
        server.append(bytes);
        bytes.putLong(millis).putLong(newestToken).put((byte) moment).put((byte) faultsLeft);
        for (int id = 0; id < clients.size(); id++) {
            // The place of each client is fixed, also of one that appends nothing.
            bytes.position(ServerState.BYTES + STATE_BYTES + id * ClientState.BYTES);
            clients.get(id).append(bytes, moment);
        }
        bytes.position(ServerState.BYTES + STATE_BYTES + clients.size() * ClientState.BYTES);
        strays.forEach(stray -> stray.append(bytes));
        return UUID.nameUUIDFromBytes(bytes.array());
    }

    WorldState with(int id, ClientState client) {
        List<ClientState> changed = new ArrayList<>(clients);
        changed.set(id, client);
        return new WorldState(
                server, millis, moment, List.copyOf(changed), strays, newestToken, faultsLeft, complaint, trail);
    }

    WorldState with(ServerState changed) {
        return new WorldState(changed, millis, moment, clients, strays, newestToken, faultsLeft, complaint, trail);
    }

    WorldState withStrays(List<Stray> changed) {
        return new WorldState(server, millis, moment, clients, changed, newestToken, faultsLeft, complaint, trail);
    }

    WorldState granted(long token) {
        return new WorldState(
                server, millis, moment, clients, strays, Math.max(token, newestToken), faultsLeft, complaint, trail);
    }

    WorldState afterFault() {
        return new WorldState(server, millis, moment, clients, strays, newestToken, faultsLeft - 1, complaint, trail);
    }

    WorldState at(long later) {
        return new WorldState(server, later, moment + 1, clients, strays, newestToken, faultsLeft, complaint, trail);
    }

    WorldState wrong(String what) {
        return new WorldState(
                server,
                millis,
                moment,
                clients,
                strays,
                newestToken,
                faultsLeft,
                complaint == null ? what : complaint,
                trail);
    }

    /** Returns this state as one that a move of the server, or of time, has made from another. */
    WorldState reachedFrom(WorldState origin, String how) {
        return reachedFrom(origin, Move.SERVER, how);
    }

    /** Returns this state as one that a move has made from another. */
    WorldState reachedFrom(WorldState origin, int client, String how) {
        return new WorldState(
                server,
                millis,
                moment,
                clients,
                strays,
                newestToken,
                faultsLeft,
                complaint,
                new Chain<>(origin.trail(), new Move(millis, client, how.intern(), faultsLeft, origin.holders())));
    }

    /** Returns the clients that believe that they hold the lock. */
    List<Integer> holders() {
        return IntStream.range(0, clients.size())
                .filter(id -> client(id).delivery() != Delivery.CRASHED
                        && client(id).view().believesAt(millis))
                .boxed()
                .toList();
    }
}
