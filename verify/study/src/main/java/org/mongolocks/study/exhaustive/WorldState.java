package org.mongolocks.study.exhaustive;

import de.bwaldvogel.mongo.bson.Document;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    /** A request that may arrive late. */
    record Stray(int client, String label, Document request, UUID digest) {}

    /**
     * What has led to a state.
     *
     * @param millis the time after it
     */
    record Move(long millis, String what) {}

    /** Returns a digest of a text: two texts with the same one are taken to be the same. */
    static UUID digestOf(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    ClientState client(int id) {
        return clients.get(id);
    }

    UUID digest() {
        StringBuilder text = new StringBuilder(server.digest().toString());
        text.append('\n')
                .append(millis)
                .append(' ')
                .append(moment)
                .append(' ')
                .append(newestToken)
                .append(' ');
        text.append(faultsLeft);
        clients.forEach(client -> client.appendTo(text));
        strays.forEach(stray -> text.append('\n').append(stray.digest()));
        return digestOf(text.toString());
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

    /** Returns this state as one that a move has made from another. */
    WorldState reachedFrom(WorldState origin, String how) {
        return new WorldState(
                server,
                millis,
                moment,
                clients,
                strays,
                newestToken,
                faultsLeft,
                complaint,
                new Chain<>(origin.trail(), new Move(millis, how)));
    }
}
