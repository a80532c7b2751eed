package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.server.EventStream;
import io.quotaenforcer.server.HttpLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The wait of one caller. What happens before the first progress is answered as without events; so
 * is everything for who does not ask for them.
 */
final class ToldProgress implements ApiCall.Waiting {
  static final Duration READING = HttpLimits.defaults().times().reading();

  private final ServiceRequestContext context;
  private final Optional<EventStream> events;
  private final CompletableFuture<HttpResponse> first = new CompletableFuture<>();

  private ToldProgress(ServiceRequestContext context, Optional<EventStream> events) {
    this.context = context;
    this.events = events;
  }

  static ToldProgress of(ApiRoute route, ServiceRequestContext context, RequestHeaders headers) {
    boolean isTold =
        route.reply() == ApiRoute.Reply.JSON_OR_EVENTS && EventStream.isAskedFor(headers);
    return new ToldProgress(
        context, isTold ? Optional.of(new EventStream(context, READING)) : Optional.empty());
  }

  @Override
  public boolean goesOn() {
    return !context.log().isComplete();
  }

  @Override
  public void extend(Duration time) {
    context.setRequestTimeout(TimeoutMode.SET_FROM_NOW, time);
  }

  @Override
  public void progress(ObjectNode data) {
    events.ifPresent(
        stream -> {
          // One that is behind hears of the next.
          if (!stream.isBehind()) {
            stream.send("progress", data.toString());
            first.complete(stream.response());
          }
        });
  }

  /** The response, of which progress may come before the answer. */
  HttpResponse before(CompletableFuture<HttpResponse> answer) {
    if (events.isEmpty()) {
      return HttpResponse.of(answer);
    }
    answer.thenAccept(
        response -> {
          if (!first.complete(response)) {
            response.aggregate().thenAccept(whole -> end(events.get(), whole));
          }
        });
    return HttpResponse.of(first);
  }

  private static void end(EventStream stream, AggregatedHttpResponse answer) {
    String event = answer.status().equals(HttpStatus.OK) ? "result" : "problem";
    stream.send(event, answer.contentUtf8());
    stream.end();
  }
}
