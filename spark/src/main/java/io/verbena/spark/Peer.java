package io.verbena.spark;

import io.verbena.endpoint.Connection;
import io.verbena.endpoint.ConnectionStatistics;
import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.RemoteMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/// Another executor, whose map outputs are read by RDMA. Safe from any thread.
final class Peer {
    /// A map output of the peer.
    ///
    /// @param start where its chunk begins in the memory
    /// @param use what the header of the chunk must say; 0 for a mapped file, which has none
    /// @param base where it begins in the memory
    /// @param offsets where each partition begins, and the end of the last, from the base on
    record Located(RemoteMemory memory, long start, long use, long base, long[] offsets) {}

    private final String executor;
    private final Connection connection;
    private final FetchMemory fetchMemory;
    private final RemoteMemory directory;
    private final Map<MapOutputs.Id, Located> located = new ConcurrentHashMap<>();

    /// By shuffle. Guarded by this, as is the next.
    private final Map<Integer, PeerIndex> indexes = new HashMap<>();

    /// By number.
    private final Map<Integer, RemoteMemory> slabs = new HashMap<>();

    /// Throws when the executor cannot be reached: IllegalStateException when another one listens at its address.
    ///
    /// @param makeRoom gives back memory that no peer uses
    /// @param closer closes the connection, which waits for the peer
    Peer(
            String executor,
            AddressBook.Address address,
            EndpointOptions options,
            AtomicLong fetchBytes,
            long mostFetchBytes,
            Runnable makeRoom,
            Executor closer) {
        this.executor = executor;
        connection = Endpoint.connect(address.host(), address.port(), options);
        // A thread of the library then takes completions, and confirms that memory is not used any more.
        connection.handle((sender, message) -> {});
        fetchMemory = new FetchMemory(
                connection::allocate, fetchBytes, mostFetchBytes, makeRoom, () -> closer.execute(connection::close));
        try {
            directory = directory(address);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /// Spark's name of it.
    String executor() {
        return executor;
    }

    FetchMemory fetchMemory() {
        return fetchMemory;
    }

    /// Why nothing can be read any more; null while it works.
    RuntimeException loss() {
        return connection.loss();
    }

    /// What the connection has done so far.
    ConnectionStatistics statistics() {
        return connection.statistics();
    }

    /// The map output if the peer has it registered, and it was asked for; null otherwise.
    Located located(MapOutputs.Id id) {
        return located.get(id);
    }

    /// Finds map outputs that are not known yet: reads what is new in the index of their shuffle.
    synchronized void locate(Collection<MapOutputs.Id> ids) {
        Map<Integer, List<Long>> unknown = ids.stream()
                .filter(id -> !located.containsKey(id))
                .collect(Collectors.groupingBy(
                        MapOutputs.Id::shuffle, Collectors.mapping(MapOutputs.Id::map, Collectors.toList())));
        unknown.forEach((shuffle, maps) -> {
            PeerIndex index = indexes.computeIfAbsent(shuffle, number -> new PeerIndex(number, this));
            index.lookFor(maps);
            for (long map : maps) {
                Located found = find(new MapOutputs.Id(shuffle, map), index.get(map));
                if (found != null) {
                    located.put(new MapOutputs.Id(shuffle, map), found);
                }
            }
        });
    }

    private Located find(MapOutputs.Id id, OutputRecord output) {
        if (output == null) {
            return null;
        }
        boolean isFile = output.slab() == OutputRecord.FILE;
        RemoteMemory memory = isFile ? remote(ShuffleMemory.fileName(id.shuffle(), id.map())) : slab(output.slab());
        return memory == null
                ? null
                : new Located(memory, output.start(), output.use(), output.base(), output.offsets());
    }

    private RemoteMemory directory(AddressBook.Address address) {
        RemoteMemory found = remote(Directory.exportName(address.node()));
        if (found == null) {
            throw new IllegalStateException("executor %s has ended, and another one listens at its address %s port %d"
                    .formatted(executor, address.host(), address.port()));
        }
        return found;
    }

    RemoteMemory directory() {
        return directory;
    }

    /// A slab of the peer; null when it is gone. Its key is asked for once. Guarded by this.
    RemoteMemory slab(int number) {
        RemoteMemory known = slabs.get(number);
        if (known == null) {
            known = remote(Slab.exportName(number));
            if (known != null) {
                slabs.put(number, known);
            }
        }
        return known;
    }

    /// Asks for the key of the slab that each executor begins with, and reads a little of it.
    synchronized void prepare() {
        if (!slabs.containsKey(0)) {
            RemoteMemory first = slab(0);
            if (first != null) {
                first.read(0, MemorySegment.ofArray(new byte[Chunk.CHECKED_BYTES]));
            }
        }
    }

    /// The memory of that name; null when the peer has none.
    private RemoteMemory remote(String name) {
        try {
            return connection.remote(name);
        } catch (RdmaException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            return null;
        }
    }

    /// The shuffle is over.
    synchronized void forget(int shuffle) {
        indexes.remove(shuffle);
        located.keySet().removeIf(id -> id.shuffle() == shuffle);
    }

    /// Ends the connection when no block is in use any more.
    void close() {
        fetchMemory.close();
    }

    @Override
    public String toString() {
        return connection.peer();
    }
}
