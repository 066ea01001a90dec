package io.verbena.verbs;

/// Memory of a peer, as the peer described it: what a WRITE or READ names.
public record RemoteBuffer(long address, long length, int rkey) {
    public RemoteBuffer slice(long offset, long length) {
        if (offset < 0 || length < 0 || offset > this.length - length) {
            throw new IndexOutOfBoundsException(
                    "bytes " + offset + " to " + (offset + length) + " of a remote buffer of " + this.length);
        }
        return new RemoteBuffer(address + offset, length, rkey);
    }

    @Override
    public String toString() {
        return "RemoteBuffer[address=0x%x, length=%d, rkey=0x%x]".formatted(address, length, rkey);
    }
}
