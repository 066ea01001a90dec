package io.verbena.applications.speed;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A small message there and back, the next one when the answer is complete.
final class NettyEcho extends ChannelInboundHandlerAdapter implements Client {
    private static final int BYTES = 64;
    private static final int MESSAGES = 10_000;
    private static final long TIMEOUT_S = 60;

    private Channel channel;
    private long[] timesNs;
    private int answers;
    private int received;
    private long sentNs;
    private CompletableFuture<Double> result;

    private NettyEcho() {}

    static int serve() throws InterruptedException {
        return NettyBytes.serve(Returner::new);
    }

    static Client connect(int port) throws InterruptedException {
        NettyEcho client = new NettyEcho();
        client.channel = NettyBytes.connect(port, client);
        return client;
    }

    @Override
    public double round() throws Exception {
        CompletableFuture<Double> awaited = new CompletableFuture<>();
        channel.eventLoop().execute(() -> {
            result = awaited;
            timesNs = new long[MESSAGES];
            answers = 0;
            send();
        });
        return awaited.get(TIMEOUT_S, TimeUnit.SECONDS);
    }

    private void send() {
        sentNs = System.nanoTime();
        channel.writeAndFlush(channel.alloc().directBuffer(BYTES).writeZero(BYTES));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf buffer = (ByteBuf) message;
        received += buffer.readableBytes();
        buffer.release();
        if (received < BYTES) {
            return;
        }
        received = 0;
        timesNs[answers++] = System.nanoTime() - sentNs;
        if (answers < MESSAGES) {
            send();
        } else {
            result.complete(Client.medianUs(timesNs));
        }
    }

    private static final class Returner extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }
}
