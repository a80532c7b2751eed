package io.quotaenforcer.gateway.check;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.gateway.mapping.AttributeMapping;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.HttpSource;
import io.quotaenforcer.http.Incidents;
import io.quotaenforcer.http.Verdict;
import io.quotaenforcer.server.JsonResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers a proxy that asks whether a request may pass: 200 with the rate limit headers, or the
 * refusal, which the proxy hands to its client. No thread waits. Safe for use by any number of
 * threads.
 */
public final class CheckService implements HttpService {
  private static final Logger log = LoggerFactory.getLogger(CheckService.class);

  private final Asking asking;
  private final HttpQuota quota;
  private final Incidents incidents = new Incidents(log, System::nanoTime);

  private CheckService(Asking asking, HttpQuota quota) {
    this.asking = asking;
    this.quota = quota;
  }

  /** A check that decides by the attributes that a mapping gives. */
  public static CheckService of(
      Asking asking, Admission admission, AttributeMapping mapping, CheckOptions options) {
    return new CheckService(
        asking,
        HttpQuota.builder(admission, http -> Optional.of(mapping.request(http)))
            .clientAddress(mapping.clientAddress())
            .maxWait(options.maxWait())
            .onFailure(options.onFailure())
            .build());
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    RequestHeaders headers = request.headers();
    Optional<Asking.Original> original = asking.original(headers);
    if (original.isEmpty()) {
      String reason = "a proxy must say what it asks about, in headers " + asking.wanted();
      incidents.tell("a check was refused", new IllegalArgumentException(reason));
      return JsonResponse.error(HttpStatus.BAD_REQUEST, reason);
    }
    HttpSource source = new ProxySource(context, original.get());
    if (!quota.waits()) {
      return answer(quota.decide(source));
    }
    CompletableFuture<Verdict> verdict = quota.decideAsync(source);
    if (verdict.isDone()) {
      return answer(verdict.join());
    }
    context.whenRequestCancelling().thenRun(() -> verdict.cancel(false));
    return HttpResponse.of(verdict.thenApplyAsync(this::answer, context.eventLoop()));
  }

  private HttpResponse answer(Verdict verdict) {
    return Answers.of(verdict, asking.forbids());
  }
}
