package io.quotaenforcer.samples.grpc;

import com.google.protobuf.StringValue;
import io.grpc.Context;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.grpc.InterceptorOptions;
import io.quotaenforcer.grpc.ServerQuotaInterceptor;
import io.quotaenforcer.grpc.ServerRequests;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** A gRPC server, whose calls are limited by who calls. */
public final class GreeterServer {
  /** The user who calls. */
  static final Context.Key<String> USER = Context.key("user");

  private GreeterServer() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments Kafka's address, and the port to serve on: 0 for any that is free
   */
  public static void main(String[] arguments) throws Exception {
    // quota
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(arguments[0]).build();
    ServerRequests requests =
        (method, headers, peer) -> Optional.of(Request.of("user", USER.get()));
    InterceptorOptions options = InterceptorOptions.DEFAULTS.withMaxWait(Duration.ofMillis(500));
    // end of quota
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1])))
            .addService(Greeter.service(GreeterServer::greet))
            // quota
            .intercept(ServerQuotaInterceptor.create(client, requests, options))
            // end of quota
            .intercept(new Login()) // added last, runs first
            .build()
            .start();
    System.out.println("listens on " + server.getPort());
    server.awaitTermination();
  }

  private static StringValue greet(StringValue greeting) {
    return StringValue.of(greeting.getValue() + " " + USER.get());
  }
}
