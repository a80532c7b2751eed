package io.quotaenforcer.samples.grpc;

import com.google.protobuf.StringValue;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import java.util.function.UnaryOperator;

/**
 * The code that {@code protoc} usually makes from {@code greeter.proto}, here without its plugin.
 */
final class Greeter {
  private static final String NAME = "samples.Greeter";

  static final MethodDescriptor<StringValue, StringValue> GREET =
      MethodDescriptor.<StringValue, StringValue>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, "Greet"))
          .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
          .build();

  private Greeter() {}

  static ServerServiceDefinition service(UnaryOperator<StringValue> greet) {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(
            GREET,
            ServerCalls.asyncUnaryCall(
                (greeting, answer) -> {
                  answer.onNext(greet.apply(greeting));
                  answer.onCompleted();
                }))
        .build();
  }
}
