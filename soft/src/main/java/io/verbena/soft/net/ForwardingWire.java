package io.verbena.soft.net;

import io.verbena.soft.os.Bell;
import io.verbena.soft.shard.SharedAddress;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// A wire that forwards all calls to another one, unless overridden.
abstract class ForwardingWire implements Wire {
    final Wire wire;

    ForwardingWire(Wire wire) {
        this.wire = wire;
    }

    @Override
    public final InetAddress localAddress() {
        return wire.localAddress();
    }

    @Override
    public final int maxPayload() {
        return wire.maxPayload();
    }

    @Override
    public final int receiveBufferBytes() {
        return wire.receiveBufferBytes();
    }

    @Override
    public final MemorySegment sendMemory() {
        return wire.sendMemory();
    }

    @Override
    public final ByteBuffer sendBytes() {
        return wire.sendBytes();
    }

    @Override
    public final int claim() {
        return wire.claim();
    }

    @Override
    public boolean flush() {
        return wire.flush();
    }

    @Override
    public final void revealTraffic() {
        wire.revealTraffic();
    }

    @Override
    public final void join(long groupHigh, long groupLow) {
        wire.join(groupHigh, groupLow);
    }

    @Override
    public final void leave(long groupHigh, long groupLow) {
        wire.leave(groupHigh, groupLow);
    }

    @Override
    public final void wakeup() {
        wire.wakeup();
    }

    @Override
    public final boolean canListen() {
        return wire.canListen();
    }

    @Override
    public final void listenTo(Bell bell) {
        wire.listenTo(bell);
    }

    @Override
    public final boolean watch(Bell bell, Runnable onBroken) {
        return wire.watch(bell, onBroken);
    }

    @Override
    public final void check() {
        wire.check();
    }

    @Override
    public final SharedAddress sharedAddress() {
        return wire.sharedAddress();
    }

    @Override
    public final long sendFailures() {
        return wire.sendFailures();
    }

    @Override
    public void close() {
        wire.close();
    }
}
