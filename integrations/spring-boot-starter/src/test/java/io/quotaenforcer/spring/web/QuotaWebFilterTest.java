package io.quotaenforcer.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.HttpView;
import io.quotaenforcer.http.QuotaExtractor;
import io.quotaenforcer.rules.QuotaRules;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class QuotaWebFilterTest {
  private static final QuotaExtractor EXTRACTOR =
      http -> Optional.of(Request.of("user", http.principal().orElse(""), "path", http.path()));

  private final Admission admission =
      AdmissionClient.standalone(
          QuotaRules.parse(
              """
              domain: shop
              rules:
                - {id: pages, match: {path: /page}, key: [user], limit: {permits: 1, per: 1d}}
              """),
          Clocks.system());
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void admitted_runsWithHeaders_andRefused_doesNotRun() {
    QuotaWebFilter filter = filter(admission, EXTRACTOR, Duration.ZERO);
    MockServerWebExchange first = exchange("/page");
    run(filter, first);
    assertThat(first.getResponse().getHeaders().getFirst("X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(runs).hasValue(1);

    MockServerWebExchange second = exchange("//%70age/");
    run(filter, second);
    assertThat(runs).hasValue(1);
    assertThat(second.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
    assertThat(second.getResponse().getHeaders().getFirst("Content-Type"))
        .isEqualTo("application/problem+json");
    assertThat(second.getResponse().getBodyAsString().block()).contains("\"status\":429");
  }

  @Test
  void principal_countsForItself_andOneThatCannotBeKnownIsAFailure() {
    QuotaWebFilter filter = filter(admission, EXTRACTOR, Duration.ZERO);
    run(filter, as(Mono.just(() -> "a")));
    run(filter, as(Mono.just(() -> "b")));
    assertThat(runs).hasValue(2);
    run(filter, as(Mono.just(() -> "a")));
    assertThat(runs).hasValue(2);

    run(filter, as(Mono.error(new IllegalStateException("no session"))));
    assertThat(runs).as("runs uncounted").hasValue(3);
  }

  @Test
  void extractor_seesAddressMethodAndHeaders() {
    AtomicReference<String> seen = new AtomicReference<>();
    QuotaExtractor extractor =
        http -> {
          seen.set(words(http));
          return Optional.empty();
        };
    MockServerHttpRequest request =
        MockServerHttpRequest.method(
                HttpMethod.PUT, URI.create("http://localhost/app/x;v=1/%2E%2E/page?q=1"))
            .contextPath("/app")
            .header("Api-Key", "k1", "k2")
            .remoteAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5))
            .build();
    run(filter(admission, extractor, Duration.ZERO), MockServerWebExchange.from(request));
    assertThat(seen).hasValue("PUT /page 127.0.0.1 k1");
  }

  private static String words(HttpView http) {
    return String.join(
        " ", http.method(), http.path(), http.clientAddress(), http.header("Api-Key").orElse(""));
  }

  @Test
  void waiting_runsWithItsDecision_andIsCancelledWithItsRequest() {
    AtomicReference<CompletableFuture<Decision>> future = new AtomicReference<>();
    Admission slow =
        decidingLater(
            request -> {
              future.set(new CompletableFuture<>());
              return future.get();
            });
    QuotaWebFilter filter = filter(slow, EXTRACTOR, Duration.ofSeconds(5));

    Disposable waiting = subscribe(filter, exchange("/page"));
    assertThat(runs).hasValue(0);
    future.get().complete(new Decision.Unmatched());
    assertThat(runs).hasValue(1);
    assertThat(waiting.isDisposed()).isTrue();

    subscribe(filter, exchange("/page")).dispose();
    assertThat(future.get()).isCancelled();
    assertThat(runs).hasValue(1);
  }

  private Disposable subscribe(QuotaWebFilter filter, ServerWebExchange exchange) {
    return filter.filter(exchange, each -> Mono.fromRunnable(runs::incrementAndGet)).subscribe();
  }

  private void run(QuotaWebFilter filter, ServerWebExchange exchange) {
    filter.filter(exchange, each -> Mono.fromRunnable(runs::incrementAndGet)).block();
  }

  private static QuotaWebFilter filter(
      Admission admission, QuotaExtractor extractor, Duration maxWait) {
    return new QuotaWebFilter(HttpQuota.builder(admission, extractor).maxWait(maxWait).build(), 0);
  }

  private static MockServerWebExchange exchange(String path) {
    return MockServerWebExchange.from(
        MockServerHttpRequest.method(HttpMethod.GET, URI.create("http://localhost" + path)));
  }

  private static ServerWebExchange as(Mono<Principal> principal) {
    return new ServerWebExchangeDecorator(exchange("/page")) {
      @Override
      @SuppressWarnings("unchecked")
      public <T extends Principal> Mono<T> getPrincipal() {
        return (Mono<T>) principal;
      }
    };
  }

  private static Admission decidingLater(Function<Request, CompletableFuture<Decision>> later) {
    return (Admission)
        Proxy.newProxyInstance(
            Admission.class.getClassLoader(),
            new Class<?>[] {Admission.class},
            (proxy, method, arguments) -> later.apply((Request) arguments[0]));
  }
}
