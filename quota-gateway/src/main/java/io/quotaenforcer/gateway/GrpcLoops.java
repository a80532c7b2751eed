package io.quotaenforcer.gateway;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of the gRPC port, which accept a bounded number of connections at a time. */
final class GrpcLoops implements AutoCloseable {
  private static final int CLOSE_SECONDS = 1;

  private final int connections;
  private final EventLoopGroup accepting = loops("grpc-accept", 1);
  private final EventLoopGroup serving = loops("grpc", Runtime.getRuntime().availableProcessors());

  GrpcLoops(int connections) {
    this.connections = connections;
  }

  private static EventLoopGroup loops(String name, int threads) {
    IoHandlerFactory kind =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), kind);
  }

  /** Makes a server run in them. */
  void serve(NettyServerBuilder builder) {
    builder
        .bossEventLoopGroup(accepting)
        .workerEventLoopGroup(serving)
        .channelFactory(this::listening);
  }

  /** Runs a task each second until they are closed; it may not throw. */
  void everySecond(Runnable task) {
    accepting.scheduleWithFixedDelay(task, 1, 1, TimeUnit.SECONDS);
  }

  private ServerChannel listening() {
    ServerChannel channel =
        Epoll.isAvailable() ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    channel.pipeline().addFirst(new Bound(connections));
    return channel;
  }

  /** Closes connections that are too many, before anything is read of them. */
  private static final class Bound extends ChannelInboundHandlerAdapter {
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    Bound(int most) {
      this.most = most;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      Channel connection = (Channel) accepted;
      if (open.incrementAndGet() > most) {
        open.decrementAndGet();
        // Sockets that are closed with a reset do not linger.
        connection.config().setOption(ChannelOption.SO_LINGER, 0);
        connection.unsafe().closeForcibly();
        return;
      }
      connection.closeFuture().addListener(closed -> open.decrementAndGet());
      context.fireChannelRead(accepted);
    }
  }

  /** To be called once the server has ended. */
  @Override
  public void close() {
    accepting.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    serving.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
