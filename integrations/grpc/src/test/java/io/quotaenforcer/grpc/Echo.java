package io.quotaenforcer.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A service whose messages are texts: it says what it was told. */
final class Echo {
  static final Metadata.Key<String> USER =
      Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);

  static final MethodDescriptor<String, String> SAY = method(MethodType.UNARY, "Say");
  static final MethodDescriptor<String, String> COLLECT =
      method(MethodType.CLIENT_STREAMING, "Collect");

  /** How many calls have begun. */
  final AtomicInteger begun = new AtomicInteger();

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Echo", name))
        .setRequestMarshaller(new Text())
        .setResponseMarshaller(new Text())
        .build();
  }

  /** {@code Say} answers with its message; {@code Collect} with all of them, by commas. */
  ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("test.Echo")
        .addMethod(SAY, ServerCalls.asyncUnaryCall(this::say))
        .addMethod(COLLECT, ServerCalls.asyncClientStreamingCall(this::collect))
        .build();
  }

  private void say(String message, StreamObserver<String> answer) {
    begun.incrementAndGet();
    if (message.equals("throw")) {
      throw new IllegalArgumentException("as it was told");
    }
    answer.onNext(message);
    answer.onCompleted();
  }

  private StreamObserver<String> collect(StreamObserver<String> answer) {
    begun.incrementAndGet();
    List<String> messages = new ArrayList<>();
    return new StreamObserver<>() {
      @Override
      public void onNext(String message) {
        messages.add(message);
      }

      @Override
      public void onError(Throwable cause) {}

      @Override
      public void onCompleted() {
        answer.onNext(String.join(",", messages));
        answer.onCompleted();
      }
    };
  }

  static String say(Channel channel, String message) {
    return say(channel, CallOptions.DEFAULT, message);
  }

  static String say(Channel channel, CallOptions options, String message) {
    return ClientCalls.blockingUnaryCall(channel, SAY, options, message);
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
