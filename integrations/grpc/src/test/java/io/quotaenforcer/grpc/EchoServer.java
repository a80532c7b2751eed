package io.quotaenforcer.grpc;

import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A service in a process of its own: {@link Echo} on a free port, held to the quotas of a Kafka.
 */
public final class EchoServer {
  static final String SERVING = "serving on ";
  static final Duration MAX_WAIT = Duration.ofMillis(500);
  static final Metadata.Key<String> API = Metadata.Key.of("api", Metadata.ASCII_STRING_MARSHALLER);

  private EchoServer() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments Kafka's address, and the name of this instance
   */
  public static void main(String[] arguments) throws Exception {
    try (AdmissionClient admission =
        AdmissionClient.create(
            Map.of("bootstrap.servers", arguments[0], "instance.id", arguments[1]))) {
      admission.awaitRules(Duration.ofSeconds(30));
      Server server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(new Echo().service())
              .intercept(
                  ServerQuotaInterceptor.create(
                      admission,
                      (method, headers, attributes) ->
                          Optional.of(
                              Request.of("user", headers.get(Echo.USER), "api", headers.get(API))),
                      InterceptorOptions.DEFAULTS.withMaxWait(MAX_WAIT)))
              .build()
              .start();
      System.out.println(SERVING + server.getPort());
      server.awaitTermination();
    }
  }
}
