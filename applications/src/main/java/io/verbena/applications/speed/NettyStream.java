package io.verbena.applications.speed;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Writes as much as the channel takes; the server answers with a byte when all of a round has come.
final class NettyStream extends ChannelInboundHandlerAdapter implements Client {
    private static final int BYTES = 64 << 10;
    private static final int WRITES = 8000;
    private static final long TIMEOUT_S = 60;

    private final ByteBuf piece = Unpooled.directBuffer(BYTES).writeZero(BYTES);
    private Channel channel;
    private int left;
    private CompletableFuture<Void> answer;

    private NettyStream() {}

    static int serve() throws InterruptedException {
        return NettyBytes.serve(Counter::new);
    }

    static Client connect(int port) throws InterruptedException {
        NettyStream client = new NettyStream();
        client.channel = NettyBytes.connect(port, client);
        return client;
    }

    @Override
    public double round() throws Exception {
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        long startNs = System.nanoTime();
        channel.eventLoop().execute(() -> {
            answer = awaited;
            left = WRITES;
            fill();
        });
        awaited.get(TIMEOUT_S, TimeUnit.SECONDS);
        return (double) BYTES * WRITES / (System.nanoTime() - startNs) * 1000;
    }

    private void fill() {
        while (left > 0 && channel.isWritable()) {
            left--;
            channel.writeAndFlush(piece.retainedDuplicate());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        fill();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ((ByteBuf) message).release();
        answer.complete(null);
    }

    private static final class Counter extends ChannelInboundHandlerAdapter {
        private long received;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            received += buffer.readableBytes();
            buffer.release();
            if (received == (long) BYTES * WRITES) {
                received = 0;
                context.writeAndFlush(context.alloc().buffer(1).writeZero(1));
            }
        }
    }
}
