package io.quotaenforcer.gateway;

import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The gRPC port, with the bounds on its clients. */
final class GrpcListener implements AutoCloseable {
  /** Envoy takes headers of 60 KiB, which a few entries may repeat. */
  private static final int LONGEST_MESSAGE = 256 << 10;

  private static final int LONGEST_HEADERS = 8 << 10;
  private static final int CALLS_PER_CONNECTION = 1_000;
  private static final Duration CONNECTION_AGE = Duration.ofMinutes(30);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Server server;
  private final GrpcLoops loops;

  private GrpcListener(Server server, GrpcLoops loops) {
    this.server = server;
    this.loops = loops;
  }

  /**
   * Bounds on its clients.
   *
   * @param connections at a time
   * @param idle without a call, after which a connection is closed; a second at least
   * @param unfinished calls that clients have not half-closed
   */
  record Bounds(int connections, Duration idle, UnfinishedRequests unfinished) {}

  /**
   * Returns once it listens.
   *
   * @throws HttpException when it cannot
   */
  static GrpcListener start(
      String host,
      int port,
      Bounds bounds,
      Optional<Tls> tls,
      List<ServerInterceptor> interceptors,
      List<ServerServiceDefinition> services) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(host, port))
            // Decisions take no longer than handing them over to another thread would.
            .directExecutor()
            .maxInboundMessageSize(LONGEST_MESSAGE)
            .maxInboundMetadataSize(LONGEST_HEADERS)
            .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
            // Spread by gRPC itself, so that not all come back at once.
            .maxConnectionAge(CONNECTION_AGE.toSeconds(), TimeUnit.SECONDS)
            .maxConnectionAgeGrace(GRACE.toSeconds(), TimeUnit.SECONDS)
            .maxConnectionIdle(bounds.idle().toMillis(), TimeUnit.MILLISECONDS)
            .permitKeepAliveTime(10, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addServices(services);
    tls.ifPresent(
        files -> builder.useTransportSecurity(files.certificate().toFile(), files.key().toFile()));
    UnfinishedCalls unfinished = new UnfinishedCalls(bounds.unfinished());
    // The last one is asked first: a call that is refused is over at once.
    builder.addStreamTracerFactory(unfinished).intercept(unfinished);
    interceptors.forEach(builder::intercept);
    GrpcLoops loops = new GrpcLoops(bounds.connections());
    loops.serve(builder);
    loops.everySecond(bounds.unfinished()::endOld);
    try {
      return new GrpcListener(builder.build().start(), loops);
    } catch (IOException e) {
      loops.close();
      throw new HttpException(
          "cannot listen on %s:%d: %s; set grpc.port to another port, or to 0 for a free one"
              .formatted(host, port, reason(e)),
          e);
    }
  }

  private static String reason(IOException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String text = String.valueOf(cause.getMessage());
    return text.contains("in use") ? "another program uses it" : text;
  }

  int port() {
    return server.getPort();
  }

  /** Takes no new calls, and lets those that are running end. */
  @Override
  public void close() throws InterruptedException {
    server.shutdown();
    if (!server.awaitTermination(GRACE.toSeconds(), TimeUnit.SECONDS)) {
      server.shutdownNow();
    }
    loops.close();
  }
}
