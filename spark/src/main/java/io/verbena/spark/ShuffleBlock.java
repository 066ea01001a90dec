package io.verbena.spark;

import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;

/// A block that a reducer asks for: neighbouring partitions of a map output.
///
/// @param name as Spark has it
/// @param output null when it is none of a map output
record ShuffleBlock(String name, MapOutputs.Id output, int firstPartition, int endPartition) {
    static ShuffleBlock of(String name) {
        return switch (BlockId.apply(name)) {
            case ShuffleBlockId id ->
                new ShuffleBlock(name, output(id.shuffleId(), id.mapId()), id.reduceId(), id.reduceId() + 1);
            case ShuffleBlockBatchId id ->
                new ShuffleBlock(name, output(id.shuffleId(), id.mapId()), id.startReduceId(), id.endReduceId());
            default -> new ShuffleBlock(name, null, 0, 0);
        };
    }

    private static MapOutputs.Id output(int shuffle, long map) {
        return new MapOutputs.Id(shuffle, map);
    }

    long offset(Peer.Located at) {
        return at.base() + at.offsets()[firstPartition];
    }

    long length(Peer.Located at) {
        return at.offsets()[endPartition] - at.offsets()[firstPartition];
    }
}
