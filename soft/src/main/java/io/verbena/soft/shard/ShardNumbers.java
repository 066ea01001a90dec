package io.verbena.soft.shard;

import io.verbena.soft.limit.NumberSequence;
import java.util.random.RandomGenerator;

/// The numbers that a device may give to its queue pairs and connections. Where processes share an address, the upper
/// bits of a number are the shard that it belongs to, so that the kernel can choose the socket.
public final class ShardNumbers {
    static final int SHARD_BITS = 6;
    static final int QP_BITS = NumberSequence.BITS - SHARD_BITS;
    static final int ID_BITS = Integer.SIZE - SHARD_BITS;

    private final boolean sharded;
    private final int shard;
    private final NumberSequence sequence;

    private ShardNumbers(boolean sharded, int shard, NumberSequence sequence) {
        this.sharded = sharded;
        this.shard = shard;
        this.sequence = sequence;
    }

    /// All numbers, for a device that has its address alone.
    public static ShardNumbers all(RandomGenerator random) {
        return new ShardNumbers(false, 0, new NumberSequence(random));
    }

    /// @param sequence numbers of [#QP_BITS]
    static ShardNumbers of(int shard, NumberSequence sequence) {
        return new ShardNumbers(true, shard, sequence);
    }

    /// 0 where there is one only.
    public int shard() {
        return shard;
    }

    /// The shard of a queue pair, if its device shares its address.
    public static int shardOf(int qpNumber) {
        return qpNumber >>> QP_BITS;
    }

    /// A queue pair number that was not given for long; it may be a reserved one.
    public int nextQueuePair() {
        return shard << QP_BITS | sequence.next();
    }

    /// A number for a connection, or for a question to a datagram service.
    public int nextCommunicationId(RandomGenerator random) {
        int number = random.nextInt();
        return sharded ? shard << ID_BITS | number >>> SHARD_BITS : number;
    }
}
