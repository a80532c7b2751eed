package io.quotaenforcer.grpc;

import io.grpc.Channel;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.util.List;
import java.util.UUID;

/** A server of {@link Echo} in this process, and a channel to it. */
final class InProcess implements AutoCloseable {
  final Echo echo = new Echo();

  private final Server server;
  private final ManagedChannel channel;

  /**
   * @param interceptors the first is called first
   */
  InProcess(ServerInterceptor... interceptors) throws Exception {
    String name = UUID.randomUUID().toString();
    InProcessServerBuilder builder = InProcessServerBuilder.forName(name);
    for (int i = interceptors.length - 1; i >= 0; i--) {
      builder.intercept(interceptors[i]);
    }
    server = builder.addService(echo.service()).build().start();
    channel = InProcessChannelBuilder.forName(name).build();
  }

  Channel channel(ClientInterceptor... interceptors) {
    return ClientInterceptors.intercept(channel, List.of(interceptors));
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
