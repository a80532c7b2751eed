package io.quotaenforcer.gateway.check;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.Verdict;
import io.quotaenforcer.server.JsonResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code POST /decide}: decides a request by the attributes in its body, for programs that know
 * them. Answers 200 with {@code {"admitted": true}}, or the refusal. Safe for use by any number of
 * threads.
 */
public final class DecideService implements HttpService {
  private final HttpQuota quota;
  private final Duration maxWait;

  private DecideService(HttpQuota quota, Duration maxWait) {
    this.quota = quota;
    this.maxWait = maxWait;
  }

  public static DecideService of(Admission admission, CheckOptions options) {
    HttpQuota quota =
        HttpQuota.builder(admission, http -> Optional.empty())
            .onFailure(options.onFailure())
            .build();
    return new DecideService(quota, options.maxWait());
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(context.eventLoop())
            .thenCompose(
                body -> {
                  try {
                    return decided(context, DecideBody.parse(body.content().array()));
                  } catch (IllegalArgumentException e) {
                    return CompletableFuture.completedFuture(
                        JsonResponse.error(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
                  }
                }));
  }

  private CompletableFuture<HttpResponse> decided(ServiceRequestContext context, DecideBody body) {
    Duration asked = body.maxWait().orElse(maxWait);
    CompletableFuture<Verdict> verdict =
        quota.decideAsync(body.request(), asked.compareTo(maxWait) > 0 ? maxWait : asked);
    if (verdict.isDone()) {
      return verdict.thenApply(DecideService::answer);
    }
    context.whenRequestCancelling().thenRun(() -> verdict.cancel(false));
    return verdict.thenApplyAsync(DecideService::answer, context.eventLoop());
  }

  private static HttpResponse answer(Verdict verdict) {
    if (!(verdict instanceof Verdict.Run run)) {
      return Answers.of(verdict, false);
    }
    ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
    run.headers().forEach(headers::set);
    return JsonResponse.of(headers, JsonResponse.object().put("admitted", true));
  }
}
