package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.servlet.QuotaFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The servlet filter around a servlet that does nothing, in no container. */
public class FilterBenchmark {
  public static final String CONFIGURATION =
      "QuotaFilter.doFilter, attributes from address and path, one rule, permits granted by the"
          + " ledger on a lease of 1 h; all headers set; request and response are proxies";

  private static final String ADDRESS = "192.0.2.7";
  private static final long PERMITS = 100_000_000_000L;

  /** A filter, a request and its response: of one thread. */
  @State(Scope.Thread)
  public static class Filtered {
    final AdmissionClient client =
        GrantedPermits.client(List.of(BenchRules.BALANCED), List.of(request("/")), PERMITS);
    final QuotaFilter filter =
        new QuotaFilter(
            HttpQuota.builder(
                    client, http -> Optional.of(request(http.path(), http.clientAddress())))
                .build());
    final Map<String, Object> attributes = new HashMap<>();
    final Map<String, String> headers = new HashMap<>();
    final HttpServletRequest request = proxy(HttpServletRequest.class, this::ofRequest);
    final HttpServletResponse response = proxy(HttpServletResponse.class, this::ofResponse);
    int run;
    final FilterChain chain = (each, answer) -> run++;

    private @Nullable Object ofRequest(String method, Object[] arguments) {
      return switch (method) {
        case "getServletPath" -> "/orders/42";
        case "getRemoteAddr" -> ADDRESS;
        case "getAttribute" -> attributes.get(arguments[0]);
        case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
        default -> null;
      };
    }

    private @Nullable Object ofResponse(String method, Object[] arguments) {
      return headers.put((String) arguments[0], (String) arguments[1]);
    }
  }

  private interface Answers {
    @Nullable Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object answer = answers.to(method.getName(), arguments);
              return method.getReturnType() == void.class ? null : answer;
            }));
  }

  private static Request request(String path, String... address) {
    return Request.of(
        BenchRules.CASE, "balanced", "path", path, "ip", address.length == 0 ? "" : address[0]);
  }

  @Benchmark
  public int filter(Filtered held, Tally tally) throws IOException, ServletException {
    int before = held.run;
    held.attributes.clear();
    held.filter.doFilter(held.request, held.response, held.chain);
    tally.expectAdmitted(held.run > before);
    return held.headers.size();
  }
}
