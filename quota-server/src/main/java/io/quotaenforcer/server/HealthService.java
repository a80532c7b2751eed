package io.quotaenforcer.server;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.function.Supplier;

/** {@code /health/live}: 503 asks for a restart. {@code /health/ready}: 503 asks to wait. */
public final class HealthService implements HttpService {
  private final Supplier<Health> health;
  private final boolean wantsReady;

  private HealthService(Supplier<Health> health, boolean wantsReady) {
    this.health = health;
    this.wantsReady = wantsReady;
  }

  public static HealthService live(Supplier<Health> health) {
    return new HealthService(health, false);
  }

  public static HealthService ready(Supplier<Health> health) {
    return new HealthService(health, true);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    HttpStatus notReady = wantsReady ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.OK;
    Health now = health.get();
    if (now instanceof Health.Failed failed) {
      return answer(HttpStatus.SERVICE_UNAVAILABLE, failed.word(), failed.reason());
    }
    if (now instanceof Health.Failing failing) {
      return answer(notReady, failing.word(), failing.reason());
    }
    if (now instanceof Health.Starting starting) {
      return answer(notReady, starting.word(), starting.reason());
    }
    return JsonResponse.of(HttpStatus.OK, JsonResponse.object().put("status", now.word()));
  }

  private static HttpResponse answer(HttpStatus status, String word, String reason) {
    return JsonResponse.of(status, JsonResponse.object().put("status", word).put("reason", reason));
  }
}
