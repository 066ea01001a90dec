package io.verbena.conformance.transfer;

import io.verbena.conformance.bench.LinkOptions;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The operations that name the peer's memory, each with the right it needs there. All reach the same eight
/// bytes.
enum RemoteAccess {
    WRITE(Access.REMOTE_WRITE, null),
    READ(Access.REMOTE_READ, null),
    COMPARE_AND_SWAP(Access.REMOTE_ATOMIC, null),
    FETCH_AND_ADD(Access.REMOTE_ATOMIC, null),
    ATOMIC_WRITE(Access.REMOTE_WRITE, DeviceCapability.ATOMIC_WRITE),
    FLUSH(Access.FLUSH_GLOBAL, DeviceCapability.FLUSH_GLOBAL);

    private static final Access[] ALL = {
        Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
    };

    private final Access right;
    private final DeviceCapability capability;

    RemoteAccess(Access right, DeviceCapability capability) {
        this.right = right;
        this.capability = capability;
    }

    /// The capability that the device must have; null when every device can.
    DeviceCapability capability() {
        return capability;
    }

    boolean isAtomic() {
        return right == Access.REMOTE_ATOMIC;
    }

    /// Whether it takes up one of the peer's resources for READs and atomics.
    boolean usesReadResource() {
        return this == READ || isAtomic() || this == ATOMIC_WRITE;
    }

    /// Whether a memory window can open what it needs.
    boolean worksThroughWindow() {
        return this == WRITE || this == READ || isAtomic();
    }

    /// All rights that it and its neighbours need.
    Access[] rights() {
        List<Access> rights = new ArrayList<>(List.of(ALL));
        if (this == FLUSH) {
            rights.add(Access.FLUSH_GLOBAL);
        }
        return rights.toArray(Access[]::new);
    }

    /// All of these but the one that it needs itself.
    Access[] rightsButOwn() {
        return Arrays.stream(rights()).filter(access -> access != right).toArray(Access[]::new);
    }

    LinkOptions options() {
        LinkOptions options = LinkOptions.DEFAULT.access(rights());
        return switch (this) {
            case ATOMIC_WRITE -> options.operations(Operation.ATOMIC_WRITE, Operation.SEND);
            case FLUSH -> options.operations(Operation.FLUSH, Operation.SEND);
            default -> options;
        };
    }

    /// Eight bytes at `address` there, and the first eight of `near` here.
    SendRequest apply(SendRequest request, long address, int rkey, MemoryRegion near) {
        return switch (this) {
            case WRITE -> request.write(address, rkey).from(near, 0, 8);
            case READ -> request.read(address, rkey).into(near, 0, 8);
            case COMPARE_AND_SWAP -> request.compareAndSwap(address, rkey, 1, 2).into(near, 0, 8);
            case FETCH_AND_ADD -> request.fetchAndAdd(address, rkey, 1).into(near, 0, 8);
            case ATOMIC_WRITE -> request.atomicWrite(address, rkey).from(near, 0, 8);
            case FLUSH -> request.flush(address, rkey, 8, FlushType.GLOBAL_VISIBILITY);
        };
    }
}
