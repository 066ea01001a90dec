package io.verbena.conformance.transfer;

import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionOpcode;
import java.util.List;

/// The operations that move bytes between the two sides, in one shape: `move` takes `length` bytes at `from` to `to`,
/// and the completions and the bytes around are checked.
enum Transfer {
    SEND,
    SEND_WITH_IMMEDIATE,
    WRITE,
    WRITE_WITH_IMMEDIATE,
    READ;

    /// The operations that name the peer's memory.
    static final List<Transfer> REMOTE = List.of(WRITE, WRITE_WITH_IMMEDIATE, READ);

    static final int IMMEDIATE = 0xCAFE_F00D;

    boolean usesReceive() {
        return this == SEND || this == SEND_WITH_IMMEDIATE || this == WRITE_WITH_IMMEDIATE;
    }

    /// Whether the bytes come from the peer.
    boolean brings() {
        return this == READ;
    }

    CompletionOpcode receiveOpcode() {
        return this == WRITE_WITH_IMMEDIATE ? CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE : CompletionOpcode.RECEIVE;
    }

    /// Sets the operation of a request that names `remote`, where it needs one.
    SendRequest apply(SendRequest request, long remoteAddress, int rkey) {
        return switch (this) {
            case SEND -> request.send();
            case SEND_WITH_IMMEDIATE -> request.sendWithImmediate(IMMEDIATE);
            case WRITE -> request.write(remoteAddress, rkey);
            case WRITE_WITH_IMMEDIATE -> request.writeWithImmediate(remoteAddress, rkey, IMMEDIATE);
            case READ -> request.read(remoteAddress, rkey);
        };
    }

    /// Moves bytes between `near` (of the left side) and `far` (of the right side) and checks all that can be
    /// checked.
    void move(
            QueuePairLink link,
            MemoryRegion near,
            int nearOffset,
            MemoryRegion far,
            int farOffset,
            int length,
            long seed) {
        MemoryRegion source = brings() ? far : near;
        MemoryRegion target = brings() ? near : far;
        int sourceOffset = brings() ? farOffset : nearOffset;
        int targetOffset = brings() ? nearOffset : farOffset;
        byte[] pattern = Bytes.pattern(seed, length);
        Bytes.put(source, sourceOffset, pattern);
        target.memory().fill((byte) 0x5A);
        byte[] sourceBefore = Bytes.all(source);
        byte[] targetBefore = Bytes.all(target);
        if (this == SEND || this == SEND_WITH_IMMEDIATE) {
            link.right().receive(seed, far, farOffset, length);
        } else if (this == WRITE_WITH_IMMEDIATE) {
            link.right().receiveEmpty(seed);
        }
        link.left()
                .post(apply(link.left().request(seed), far.address() + farOffset, far.rkey())
                        .from(near, nearOffset, length));
        link.left().sent(seed);
        if (usesReceive()) {
            var completion = link.right().received(seed);
            require(completion.opcode() == receiveOpcode(), "opcode " + completion.opcode());
            require(completion.byteLength() == length, "length " + completion.byteLength() + " of " + length);
            boolean immediate = this != SEND;
            require(completion.hasImmediate() == immediate, "immediate there: " + completion.hasImmediate());
            require(!immediate || completion.immediate() == IMMEDIATE, "immediate " + completion.immediate());
        }
        Bytes.assertOnlyChanged(targetBefore, target, targetOffset, pattern);
        Bytes.assertUnchanged(sourceBefore, source);
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(this + ": completion shows " + what);
        }
    }
}
