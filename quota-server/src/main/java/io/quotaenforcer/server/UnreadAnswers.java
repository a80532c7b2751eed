package io.quotaenforcer.server;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the heap of unread answers: their total size, and their time. A client that does not read
 * its answer in time is disconnected. An {@link EventStream} has bounds of its own.
 */
public final class UnreadAnswers implements DecoratingHttpServiceFunction {
  /**
   * An answer of at most this size is given regardless of unread bytes: a probe's, for one, or "not
   * found".
   */
  private static final int SMALL_BYTES = 4 << 10;

  private final HttpLimits limits;
  private final AtomicLong unreadBytes = new AtomicLong();

  public UnreadAnswers(HttpLimits limits) {
    this.limits = limits;
  }

  @Override
  public HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (!ConnectionBounds.begin(context)) {
      return JsonResponse.busy("too many requests at a time on one connection");
    }
    HttpResponse response = service.serve(context, request);
    if (EventStream.mayAnswer(context)) {
      return response;
    }
    return HttpResponse.of(
        response.aggregate(context.eventLoop()).thenApply(answer -> admitted(context, answer)));
  }

  private HttpResponse admitted(ServiceRequestContext context, AggregatedHttpResponse answer) {
    int length = answer.content().length();
    int bytes = length > SMALL_BYTES ? length : 0;
    long unread = unreadBytes.addAndGet(bytes);
    // A single answer is always given; otherwise its client would wait forever.
    if (unread > limits.sizes().unread() && unread > bytes && bytes > 0) {
      unreadBytes.addAndGet(-bytes);
      return JsonResponse.busy("other answers wait to be read by their clients");
    }
    ScheduledFuture<?> deadline =
        context
            .eventLoop()
            .withoutContext()
            .schedule(() -> disconnect(context), limits.times().reading().toMillis(), MILLISECONDS);
    context
        .log()
        .whenComplete()
        .thenRun(
            () -> {
              deadline.cancel(false);
              unreadBytes.addAndGet(-bytes);
            });
    return answer.toHttpResponse();
  }

  private static void disconnect(ServiceRequestContext context) {
    Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    if (channel != null && !context.log().isComplete()) {
      channel.close();
    }
  }
}
