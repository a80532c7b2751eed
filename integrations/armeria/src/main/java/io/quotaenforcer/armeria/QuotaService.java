package io.quotaenforcer.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.quotaenforcer.http.HttpAnswer;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.Verdict;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Decides each request by rules before it reaches the service that it decorates. A request that is
 * admitted is served, and its answer has the rate limit headers; one that is not is answered here.
 * No thread waits, and the event loop is not held up. Safe for use by any number of threads.
 */
public final class QuotaService extends SimpleDecoratingHttpService {
  private final HttpQuota quota;

  private QuotaService(HttpService delegate, HttpQuota quota) {
    super(delegate);
    this.quota = quota;
  }

  /** For {@code ServerBuilder.decorator}, or {@code HttpService.decorate}. */
  public static Function<? super HttpService, QuotaService> decorator(HttpQuota quota) {
    return delegate -> new QuotaService(delegate, quota);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    ArmeriaSource source = new ArmeriaSource(context);
    if (!quota.waits()) {
      return answer(context, request, quota.decide(source));
    }
    CompletableFuture<Verdict> verdict = quota.decideAsync(source);
    if (verdict.isDone()) {
      return answer(context, request, verdict.join());
    }
    context.whenRequestCancelling().thenRun(() -> verdict.cancel(false));
    return HttpResponse.of(
        verdict.thenApplyAsync(made -> answerLate(context, request, made), context.eventLoop()));
  }

  private HttpResponse answerLate(
      ServiceRequestContext context, HttpRequest request, Verdict verdict) {
    try {
      return answer(context, request, verdict);
    } catch (Exception e) {
      return HttpResponse.ofFailure(e);
    }
  }

  private HttpResponse answer(ServiceRequestContext context, HttpRequest request, Verdict verdict)
      throws Exception {
    if (verdict instanceof Verdict.Run run) {
      run.headers().forEach(context::setAdditionalResponseHeader);
      return unwrap().serve(context, request);
    }
    return refusal(
        verdict instanceof Verdict.Refused refused
            ? refused.answer()
            : ((Verdict.Failed) verdict).answer());
  }

  private static HttpResponse refusal(HttpAnswer answer) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(answer.status());
    answer.headers().forEach(headers::set);
    return HttpResponse.of(headers.build(), HttpData.ofUtf8(answer.body()));
  }
}
