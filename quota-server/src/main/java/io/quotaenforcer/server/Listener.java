package io.quotaenforcer.server;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening port, with the bounds on its clients. */
public final class Listener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Listener.class);
  private static final long POLL_NANOS = 5_000_000L;

  /** Where this is 0, Armeria does not wait for requests in progress. */
  private static final Duration QUIET = Duration.ofMillis(1);

  private static final Duration DRAIN = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final Server server;
  private final ChannelGroup open;

  private Listener(Server server, ChannelGroup open) {
    this.server = server;
    this.open = open;
  }

  /** A server whose routes are to be added. */
  public static ServerBuilder builder(String host, int port, int threads, HttpLimits limits) {
    return builder(host, port, threads, limits, Optional.empty());
  }

  /** The same over TLS, if there is any. */
  public static ServerBuilder builder(
      String host, int port, int threads, HttpLimits limits, Optional<Tls> tls) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw new HttpException(
          "cannot listen on %s:%d: there is no such address; set http.host to one of this machine"
              .formatted(host, port),
          new IllegalArgumentException(host));
    }
    ServerBuilder builder = Server.builder().disableServerHeader();
    tls.ifPresentOrElse(
        files -> builder.https(address).tls(files.certificate().toFile(), files.key().toFile()),
        () -> builder.http(address));
    return builder
        .errorHandler((context, cause) -> failure(cause))
        .maxRequestLength(limits.sizes().request())
        .http1MaxHeaderSize(limits.sizes().headers())
        .http1MaxInitialLineLength(limits.sizes().headers())
        .http2MaxHeaderListSize(limits.sizes().headers())
        .maxNumConnections(limits.connections())
        .requestTimeout(limits.times().request())
        .idleTimeout(limits.times().idle())
        .maxConnectionAge(limits.times().connectionAge())
        .blockingTaskExecutor(threads)
        .http2MaxStreamsPerConnection(limits.streams())
        .childChannelPipelineCustomizer(
            pipeline -> pipeline.addFirst(new ConnectionBounds(limits.times().request())))
        .decorator(new UnreadAnswers(limits))
        .gracefulShutdownTimeout(QUIET, DRAIN);
  }

  /**
   * Returns once it listens.
   *
   * @param setting of the port
   * @throws HttpException when it cannot
   */
  public static Listener start(ServerBuilder builder, String host, int port, String setting) {
    ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    Server server =
        builder.childChannelPipelineCustomizer(pipeline -> open.add(pipeline.channel())).build();
    try {
      server.start().join();
    } catch (CompletionException e) {
      server.closeAsync();
      throw cannotListen(host, port, setting, e.getCause() == null ? e : e.getCause());
    }
    return new Listener(server, open);
  }

  public int port() {
    return server.activeLocalPort();
  }

  /** Connections that are open. */
  int connections() {
    return server.numConnections();
  }

  /**
   * Stops listening when the requests in progress are answered, or half a second is over, and
   * closes each connection once nothing is in progress on it, one of HTTP/2 within a second. Then
   * no request is served: what serves them can be closed next. Threads end by themselves, seconds
   * later.
   */
  @Override
  public void close() {
    CompletableFuture<Void> stopped = server.stop();
    long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    boolean listens = true;
    while ((listens || connections() > 0) && !stopped.isDone()) {
      if (System.nanoTime() - deadline > 0) {
        log.warn("the HTTP server did not stop within {} s", CLOSE_TIMEOUT.toSeconds());
        return;
      }
      listens = !server.activePorts().isEmpty();
      if (!listens) {
        open.forEach(ConnectionBounds::closeWhenIdle);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Null leaves it to Armeria, which knows its own exceptions. */
  private static @Nullable HttpResponse failure(Throwable cause) {
    if (cause instanceof HttpStatusException known) {
      return JsonResponse.error(known.httpStatus(), known.httpStatus().reasonPhrase());
    }
    if (cause instanceof IllegalArgumentException || cause instanceof IllegalStateException) {
      log.warn("a request failed", cause);
      return JsonResponse.error(
          HttpStatus.INTERNAL_SERVER_ERROR, "failed, see the log of this process");
    }
    return null;
  }

  private static HttpException cannotListen(
      String host, int port, String setting, Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    String why =
        text.contains("in use")
            ? "another program uses it; set " + setting + " to another port, or to 0 for a free one"
            : text.contains("assign requested address")
                ? "this machine has no such address; set http.host to one of its own"
                : text;
    return new HttpException("cannot listen on " + host + ":" + port + ": " + why, cause);
  }
}
