package io.verbena.soft.shard;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.SealedMemory;
import java.util.Arrays;

/// What every process at a shared address has: all its sockets, in the order of their numbers, and the [AddressPage].
record AddressSockets(int[] fds, SealedMemory shared, AddressPage page) implements AutoCloseable {
    AddressSockets(int[] fds, SealedMemory shared) {
        this(fds, shared, new AddressPage(shared));
    }

    /// In the order that [#of] takes them in.
    int[] descriptors() {
        int[] all = Arrays.copyOf(fds, fds.length + 1);
        all[fds.length] = shared.fd();
        return all;
    }

    /// From descriptors that another process handed over, which become the object's; null when they are others than
    /// expected.
    static AddressSockets of(int[] descriptors) {
        if (descriptors.length != AddressPage.SHARDS + 1) {
            closeAll(descriptors);
            return null;
        }
        int[] fds = Arrays.copyOf(descriptors, AddressPage.SHARDS);
        try {
            return new AddressSockets(
                    fds, SealedMemory.ofDescriptor(descriptors[AddressPage.SHARDS], AddressPage.BYTES));
        } catch (RuntimeException e) {
            closeAll(fds);
            throw e;
        }
    }

    /// Passes over those that are -1.
    static void closeAll(int[] descriptors) {
        for (int fd : descriptors) {
            if (fd >= 0) {
                DescriptorCalls.close(fd);
            }
        }
    }

    /// The page stays readable.
    @Override
    public void close() {
        closeAll(fds);
        shared.closeDescriptor();
    }
}
