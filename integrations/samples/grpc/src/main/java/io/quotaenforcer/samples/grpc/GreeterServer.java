package io.quotaenforcer.samples.grpc;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.grpc.ServerQuotaInterceptor;
import io.quotaenforcer.grpc.ServerRequests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A gRPC server whose calls are limited by method. */
public final class GreeterServer {
  /** What {@code protoc} makes, usually; here messages are texts. */
  public static final MethodDescriptor<String, String> GREET =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("samples.Greeter/Greet")
          .setRequestMarshaller(new Text())
          .setResponseMarshaller(new Text())
          .build();

  private GreeterServer() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments Kafka's address, and the port to serve on
   */
  public static void main(String[] arguments) throws Exception {
    // tag::quotas[]
    AdmissionClient admission = AdmissionClient.builder().bootstrapServers(arguments[0]).build();
    // end::quotas[]
    start(admission, Integer.parseInt(arguments[1])).awaitTermination();
  }

  /**
   * @param port 0 for any that is free
   */
  public static Server start(Admission admission, int port) throws IOException {
    // tag::quotas[]
    ServerRequests requests =
        (method, headers, peer) -> Optional.of(Request.of("api", method.getFullMethodName()));
    // end::quotas[]
    return Grpc.newServerBuilderForPort(port, InsecureServerCredentials.create())
        .addService(greeter())
        // tag::quotas[]
        .intercept(ServerQuotaInterceptor.create(admission, requests))
        // end::quotas[]
        .build()
        .start();
  }

  private static ServerServiceDefinition greeter() {
    return ServerServiceDefinition.builder("samples.Greeter")
        .addMethod(GREET, ServerCalls.asyncUnaryCall(GreeterServer::greet))
        .build();
  }

  private static void greet(String name, StreamObserver<String> answer) {
    answer.onNext("hello " + name);
    answer.onCompleted();
  }

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
