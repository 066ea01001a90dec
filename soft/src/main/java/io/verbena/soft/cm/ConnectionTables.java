package io.verbena.soft.cm;

import io.verbena.soft.shard.ShardNumbers;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The connections of a device, found by this side's communication id, the peer's communication id, or the peer's queue
/// pair. A peer's queue pair has one connection at a time.
final class ConnectionTables {
    private final ShardNumbers numbers;
    private final RandomGenerator random;
    private final Map<Integer, CmConnection> byLocalId = new HashMap<>();
    private final Map<RemoteKey, CmConnection> byRemoteId = new HashMap<>();
    private final Map<RemoteKey, CmConnection> byRemoteQp = new HashMap<>();

    ConnectionTables(ShardNumbers numbers, RandomGenerator random) {
        this.numbers = numbers;
        this.random = random;
    }

    /// Gives a connection a number that is hard to guess and not in use.
    int addLocal(CmConnection connection) {
        int id;
        do {
            id = numbers.nextCommunicationId(random);
        } while (id == 0 || byLocalId.containsKey(id));
        byLocalId.put(id, connection);
        return id;
    }

    void removeLocal(int id) {
        byLocalId.remove(id);
    }

    CmConnection byLocalId(int id) {
        return byLocalId.get(id);
    }

    CmConnection byRemoteId(RemoteKey key) {
        return byRemoteId.get(key);
    }

    CmConnection byRemoteQp(RemoteKey key) {
        return byRemoteQp.get(key);
    }

    void addRemote(CmConnection connection, RemoteKey id, RemoteKey qp) {
        byRemoteId.put(id, connection);
        byRemoteQp.put(qp, connection);
    }

    void removeRemoteId(CmConnection connection, RemoteKey id) {
        byRemoteId.remove(id, connection);
    }

    void removeRemoteQp(CmConnection connection, RemoteKey qp) {
        byRemoteQp.remove(qp, connection);
    }

    /// How many connections there are, including those in TIMEWAIT.
    int size() {
        return byLocalId.size();
    }

    boolean isEmpty() {
        return byLocalId.isEmpty() && byRemoteId.isEmpty() && byRemoteQp.isEmpty();
    }
}
