package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.enforcer.query.UsageQuery;
import io.quotaenforcer.server.JsonResponse;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** {@code GET /usage/domain/rule?attribute=value}. */
final class UsageService implements HttpService {
  private static final int RETRY_SECONDS = 1;

  private final UsageQuery query;

  UsageService(UsageQuery query) {
    this.query = query;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    // Reads a store.
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> answer(context), context.blockingTaskExecutor()));
  }

  private HttpResponse answer(ServiceRequestContext context) {
    RuleId rule;
    try {
      rule = new RuleId(parameter(context, "domain"), parameter(context, "rule"));
    } catch (IllegalArgumentException e) {
      return JsonResponse.error(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    for (Map.Entry<String, String> parameter : context.queryParams()) {
      if (attributes.put(parameter.getKey(), parameter.getValue()) != null) {
        return JsonResponse.error(
            HttpStatus.BAD_REQUEST, "must be given only once: " + parameter.getKey());
      }
    }
    return write(context, query.usage(rule, attributes));
  }

  private static HttpResponse write(ServiceRequestContext context, UsageAnswer answer) {
    if (answer instanceof UsageAnswer.Found found) {
      return JsonResponse.of(HttpStatus.OK, json(found.usage()));
    }
    if (answer instanceof UsageAnswer.NotFound none) {
      return JsonResponse.error(HttpStatus.NOT_FOUND, none.reason());
    }
    if (answer instanceof UsageAnswer.Invalid invalid) {
      return invalid(invalid);
    }
    if (answer instanceof UsageAnswer.Elsewhere elsewhere) {
      return redirect(context, elsewhere.enforcer());
    }
    String reason = ((UsageAnswer.NotReady) answer).reason();
    return JsonResponse.of(
        ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
            .setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS),
        JsonResponse.object().put("error", reason));
  }

  /**
   * Says which values must be hashes, so that nobody needs to send one in the clear to learn it.
   */
  private static HttpResponse invalid(UsageAnswer.Invalid invalid) {
    ObjectNode body = JsonResponse.object().put("error", invalid.reason());
    if (!invalid.hashed().isEmpty()) {
      ArrayNode hashed = body.putArray("hashed");
      new TreeSet<>(invalid.hashed()).forEach(hashed::add);
    }
    return JsonResponse.of(ResponseHeaders.builder(HttpStatus.BAD_REQUEST), body);
  }

  private static HttpResponse redirect(ServiceRequestContext context, URI enforcer) {
    // Path and query, encoded.
    String location = enforcer + context.request().path();
    return JsonResponse.of(
        ResponseHeaders.builder(HttpStatus.TEMPORARY_REDIRECT)
            .set(HttpHeaderNames.LOCATION, location),
        JsonResponse.object().put("error", "another enforcer counts this quota key: " + location));
  }

  private static ObjectNode json(QuotaUsageRecord usage) {
    ObjectNode root =
        JsonResponse.object()
            .put("quotaKey", usage.quotaKey())
            .put("limit", usage.limit())
            .put("available", usage.available())
            .put("outstanding", usage.outstanding())
            .put("holders", usage.holders());
    usage.penaltyUntil().ifPresent(until -> root.put("penaltyUntil", until.toString()));
    ArrayNode windows = root.putArray("windows");
    for (QuotaUsageRecord.WindowUsage window : usage.windows()) {
      windows
          .addObject()
          .put("start", window.start().toString())
          .put("used", window.used())
          .put("throttled", window.throttled());
    }
    return root;
  }

  private static String parameter(ServiceRequestContext context, String name) {
    return String.valueOf(context.pathParam(name));
  }
}
