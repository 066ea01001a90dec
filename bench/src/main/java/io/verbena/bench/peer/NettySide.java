package io.verbena.bench.peer;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/// Netty's NIO transport over TCP: one event loop on either side, TCP_NODELAY, pooled buffers. Everything happens in
/// the event loop.
final class NettySide implements BenchSide {
    /// How much of a stream is written before it is flushed.
    private static final int FLUSH_BYTES = 16 << 10;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final String home;
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final Semaphore done = new Semaphore(0);
    private Channel listener;
    private Channel channel;
    private boolean client;

    // ---- of the event loop while a run lasts ----
    private int size;
    private boolean echoes;
    private long left;
    private long unsent;
    private int taken;
    private Samples samples;

    /// Argument: the address of the server.
    NettySide(List<String> arguments) {
        home = arguments.getFirst();
    }

    @Override
    public boolean allocatesElsewhere() {
        return true;
    }

    @Override
    public String address() throws InterruptedException {
        listener = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Handler())
                .bind(home, 0)
                .sync()
                .channel();
        return Integer.toString(((InetSocketAddress) listener.localAddress()).getPort());
    }

    @Override
    public void accept() throws InterruptedException {
        channel = accepted.take();
    }

    @Override
    public void connect(String address) throws InterruptedException {
        client = true;
        channel = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new Handler())
                .connect(home, Integer.parseInt(address))
                .sync()
                .channel();
    }

    @Override
    public void prepare(Measurement measurement, long messages) throws InterruptedException {
        channel.eventLoop()
                .submit(() -> {
                    size = measurement.size();
                    echoes = measurement.kind() == Kind.ROUND_TRIP;
                    left = client && !echoes ? 1 : messages;
                    unsent = messages;
                    taken = 0;
                })
                .sync();
    }

    @Override
    public void run(Measurement measurement, long messages, Samples times) throws InterruptedException {
        if (client) {
            channel.eventLoop().execute(() -> {
                samples = times;
                samples.begin();
                if (echoes) {
                    channel.writeAndFlush(message());
                } else {
                    stream();
                }
            });
        }
        done.acquire();
        if (client) {
            times.end();
        }
    }

    private ByteBuf message() {
        return channel.alloc().ioBuffer(size).writeZero(size);
    }

    /// Goes on when the socket takes more.
    private void stream() {
        while (unsent > 0 && channel.isWritable()) {
            for (int bytes = 0; unsent > 0 && bytes < FLUSH_BYTES; bytes += size) {
                channel.write(message());
                unsent--;
            }
            channel.flush();
        }
    }

    private void onBytes(ByteBuf bytes) {
        int wanted = client && !echoes ? 1 : size;
        taken += bytes.readableBytes();
        bytes.skipBytes(bytes.readableBytes()); // the kernel has copied them, which counts as reading
        for (; taken >= wanted && left > 0; taken -= wanted) {
            left--;
            onMessage();
        }
        if (left == 0) {
            done.release();
        }
    }

    private void onMessage() {
        if (echoes) {
            if (client) {
                samples.endRoundTrip();
            }
            if (!client || left > 0) {
                channel.writeAndFlush(message());
            }
            if (client) {
                samples.record();
            }
        } else if (!client && left == 0) {
            channel.writeAndFlush(channel.alloc().ioBuffer(1).writeZero(1));
        }
    }

    private final class Handler extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            accepted.add(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ByteBuf received = (ByteBuf) bytes;
            try {
                onBytes(received);
            } finally {
                received.release();
            }
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            if (client && !echoes) {
                stream();
            }
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            channel.close();
        }
        if (listener != null) {
            listener.close();
        }
        loop.shutdownGracefully();
    }
}
