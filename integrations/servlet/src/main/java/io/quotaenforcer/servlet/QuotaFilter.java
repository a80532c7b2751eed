package io.quotaenforcer.servlet;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.http.HttpAnswer;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.Verdict;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides each request by rules before it reaches a servlet. A request that is admitted runs, and
 * its answer has the rate limit headers; one that is not is answered here.
 *
 * <p>Where requests may wait for their permits ({@link HttpQuota.Builder#maxWait}), or be deferred,
 * filter and servlets must be registered with {@code asyncSupported}: no thread is held meanwhile.
 * Where they are not, no request waits, or is deferred. A request that is dispatched again (async,
 * forward, include, error) is not decided twice by a filter; another filter decides it, too.
 *
 * <p>Safe for use by any number of threads.
 */
public final class QuotaFilter implements Filter {
  private static final Logger log = LoggerFactory.getLogger(QuotaFilter.class);
  private static final AtomicLong FILTERS = new AtomicLong();
  private static final HttpAnswer NOT_RUN = new HttpAnswer(500, Map.of(), "");

  /** The attribute of requests that this filter has decided: others decide them by themselves. */
  private final String decided =
      QuotaFilter.class.getName() + ".decided-" + FILTERS.incrementAndGet();

  private final HttpQuota quota;
  private final @Nullable Deferring deferring;

  private record Deferring(
      AdmissionClient client, Function<HttpServletRequest, Deferral> deferrals) {}

  /** A filter that refuses what is not admitted. */
  public QuotaFilter(HttpQuota quota) {
    this(quota, null);
  }

  private QuotaFilter(HttpQuota quota, @Nullable Deferring deferring) {
    this.quota = quota;
    this.deferring = deferring;
  }

  /**
   * A filter that hands over what a rule lets wait, and answers 202: a replay handler of the
   * service runs it later.
   *
   * @param deferrals makes what is handed over from a request, whose body nobody has read; must not
   *     throw for one that can be run later. If it throws, the request is refused
   */
  public QuotaFilter deferring(
      AdmissionClient client, Function<HttpServletRequest, Deferral> deferrals) {
    return new QuotaFilter(quota, new Deferring(client, deferrals));
  }

  /**
   * Registers it for every request, after the filters that are there, with {@code asyncSupported}:
   * while the application starts.
   *
   * @throws IllegalStateException if a filter named {@code quota} is there already
   */
  public void addTo(ServletContext application) {
    FilterRegistration.Dynamic filter = application.addFilter("quota", this);
    if (filter == null) {
      throw new IllegalStateException("must be added once: filter=quota");
    }
    filter.setAsyncSupported(true);
    filter.addMappingForUrlPatterns(null, true, "/*");
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)
        || request.getAttribute(decided) != null) {
      chain.doFilter(request, response);
      return;
    }
    request.setAttribute(decided, Boolean.TRUE);
    Verdict verdict = decide(http, answer);
    if (verdict instanceof Verdict.Run run) {
      run.headers().forEach(answer::setHeader);
      chain.doFilter(request, response);
    } else if (verdict != null) {
      refuse(http, answer, verdict);
    }
  }

  /** Null if the request waits for its verdict. */
  private @Nullable Verdict decide(HttpServletRequest request, HttpServletResponse response) {
    ServletSource source = new ServletSource(request);
    if (!quota.waits() || !request.isAsyncSupported()) {
      return quota.decide(source);
    }
    CompletableFuture<Verdict> verdict = quota.decideAsync(source);
    if (verdict.isDone()) {
      return verdict.join();
    }
    AsyncContext waiting = AsyncWait.begin(request, response, () -> verdict.cancel(false));
    verdict.thenAccept(made -> resume(waiting, made));
    return null;
  }

  private void resume(AsyncContext waiting, Verdict verdict) {
    if (verdict instanceof Verdict.Run run) {
      dispatch(waiting, run);
    } else if (defers(verdict)) {
      defer(waiting, (Verdict.Refused) verdict);
    } else {
      complete(waiting, answer(verdict));
    }
  }

  private static void dispatch(AsyncContext waiting, Verdict.Run run) {
    try {
      run.headers().forEach(((HttpServletResponse) waiting.getResponse())::setHeader);
      waiting.dispatch();
    } catch (RuntimeException e) {
      log.debug("a request was not run", e);
      complete(waiting, NOT_RUN);
    }
  }

  /** Ends a request however that goes: nobody else does, as it has no time-out. */
  private static void complete(AsyncContext waiting, HttpAnswer answer) {
    try {
      write((HttpServletResponse) waiting.getResponse(), answer);
    } catch (IOException | RuntimeException e) {
      log.debug("a request was not answered", e);
    } finally {
      end(waiting);
    }
  }

  private static void end(AsyncContext waiting) {
    try {
      waiting.complete();
    } catch (RuntimeException e) {
      // The client is gone, and the container has ended the request.
      log.debug("a request had ended", e);
    }
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, Verdict verdict)
      throws IOException {
    if (defers(verdict) && request.isAsyncSupported()) {
      defer(AsyncWait.begin(request, response, () -> {}), (Verdict.Refused) verdict);
    } else {
      write(response, answer(verdict));
    }
  }

  private boolean defers(Verdict verdict) {
    return deferring != null
        && verdict instanceof Verdict.Refused refused
        && refused.isDeferrable();
  }

  private void defer(AsyncContext waiting, Verdict.Refused refused) {
    deferred((HttpServletRequest) waiting.getRequest(), refused)
        .whenComplete(
            (answer, failure) -> complete(waiting, failure == null ? answer : refused.answer()));
  }

  private CompletableFuture<HttpAnswer> deferred(
      HttpServletRequest request, Verdict.Refused refused) {
    Deferring with = deferring;
    if (with == null) {
      return CompletableFuture.completedFuture(refused.answer());
    }
    Deferral deferral;
    try {
      deferral = with.deferrals.apply(request);
    } catch (RuntimeException e) {
      log.warn("a request cannot be deferred, and is refused", e);
      return CompletableFuture.completedFuture(refused.answer());
    }
    return quota.defer(with.client, refused, deferral, new ServletSource(request));
  }

  private static HttpAnswer answer(Verdict verdict) {
    return verdict instanceof Verdict.Refused refused
        ? refused.answer()
        : ((Verdict.Failed) verdict).answer();
  }

  private static void write(HttpServletResponse response, HttpAnswer answer) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.setCharacterEncoding("UTF-8");
    response.getWriter().write(answer.body());
  }
}
