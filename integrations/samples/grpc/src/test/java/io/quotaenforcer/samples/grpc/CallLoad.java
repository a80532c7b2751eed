package io.quotaenforcer.samples.grpc;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Calls a service from several threads, and counts how the calls end. */
final class CallLoad {
  private static final int THREADS = 4;
  private static final long DEADLINE_SECONDS = 20;

  /** Calls by their status, and the nanoseconds of the longest. */
  record Seen(Map<Status.Code, Long> ends, long longestNanos) {
    long count(Status.Code code) {
      return ends.getOrDefault(code, 0L);
    }

    Duration longest() {
      return Duration.ofNanos(longestNanos);
    }
  }

  private CallLoad() {}

  /** Calls each channel in turn for as long as is said. */
  static Seen run(List<Channel> channels, String user, BooleanSupplier goOn) throws Exception {
    Map<Status.Code, Long> ends = new EnumMap<>(Status.Code.class);
    AtomicLong longest = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int first = i;
        running.add(
            threads.submit(
                () -> {
                  for (int call = first; goOn.getAsBoolean(); call++) {
                    long begun = System.nanoTime();
                    Status.Code end = call(channels.get(call % channels.size()), user);
                    longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
                    synchronized (ends) {
                      ends.merge(end, 1L, Long::sum);
                    }
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return new Seen(ends, longest.get());
  }

  static Status.Code call(Channel channel, String user) {
    try {
      greet(channel, user);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  static String greet(Channel channel, String user) {
    Metadata headers = new Metadata();
    headers.put(Login.HEADER, user);
    Channel with =
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    return ClientCalls.blockingUnaryCall(
            with,
            Greeter.GREET,
            CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS),
            StringValue.of("hello"))
        .getValue();
  }
}
