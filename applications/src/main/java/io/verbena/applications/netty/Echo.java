package io.verbena.applications.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// An echo in Netty, as its users write one; the same class runs with 4.1 and 4.2.
///
/// Arguments: `server`, or `client PORT BYTES`.
public final class Echo {
    private static final int PIECE = 10_000;
    private static final long TIMEOUT_S = 60;

    private Echo() {}

    /// Runs one of the sides.
    @SuppressWarnings("deprecation") // NioEventLoopGroup in 4.2, where it still works
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup group = new NioEventLoopGroup(2);
        try {
            if (arguments[0].equals("server")) {
                serve(group);
            } else {
                ask(group, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static void serve(EventLoopGroup group) throws InterruptedException {
        Channel server = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(initializer(Returner::new))
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        System.out.println("port " + ((InetSocketAddress) server.localAddress()).getPort());
        server.closeFuture().sync();
    }

    private static void ask(EventLoopGroup group, int port, int bytes) throws Exception {
        CompletableFuture<Long> received = new CompletableFuture<>();
        Checker checker = new Checker(bytes, received);
        Channel channel = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(initializer(() -> checker))
                .connect("127.0.0.1", port)
                .sync()
                .channel();
        SplittableRandom random = new SplittableRandom(1);
        for (int sent = 0; sent < bytes; ) {
            byte[] piece = new byte[Math.min(bytes - sent, 1 + random.nextInt(PIECE))];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = content(sent + i);
            }
            channel.writeAndFlush(channel.alloc().buffer(piece.length).writeBytes(piece));
            sent += piece.length;
        }
        System.out.println("echoed " + received.get(TIMEOUT_S, TimeUnit.SECONDS) + " bytes");
        channel.close().sync();
    }

    private static byte content(int position) {
        return (byte) (position * 31 + (position >>> 8));
    }

    private static ChannelInitializer<SocketChannel> initializer(
            java.util.function.Supplier<ChannelInboundHandlerAdapter> handler) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(handler.get());
            }
        };
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

    private static final class Checker extends ChannelInboundHandlerAdapter {
        private final int expected;
        private final CompletableFuture<Long> received;
        private int position;

        Checker(int expected, CompletableFuture<Long> received) {
            this.expected = expected;
            this.received = received;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            while (buffer.isReadable()) {
                if (buffer.readByte() != content(position)) {
                    received.completeExceptionally(new IllegalStateException("wrong byte at " + position));
                }
                position++;
            }
            buffer.release();
            if (position >= expected) {
                received.complete((long) position);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            received.completeExceptionally(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            received.completeExceptionally(new IllegalStateException("closed after " + position + " bytes"));
        }
    }
}
