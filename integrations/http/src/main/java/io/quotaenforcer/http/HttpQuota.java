package io.quotaenforcer.http;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.DeferralTimeoutException;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides HTTP requests: the part that all adapters share. Whatever fails in it, a request is
 * answered: nothing is thrown. Immutable, for any thread.
 */
public final class HttpQuota {
  private static final Logger log = LoggerFactory.getLogger(HttpQuota.class);

  private final Admission admission;
  private final QuotaExtractor extractor;
  private final ClientAddress addresses;
  private final Duration maxWait;
  private final OnFailure onFailure;
  private final HttpAnswers answers;
  private final Function<String, Optional<String>> statusLinks;
  private final Incidents incidents = new Incidents(log, System::nanoTime);

  /**
   * The treatment of a request that cannot be decided since an extractor, or this library, failed.
   */
  public enum OnFailure {
    RUN,
    REFUSE
  }

  private HttpQuota(Builder builder) {
    admission = builder.admission;
    extractor = builder.extractor;
    addresses = builder.addresses;
    maxWait = builder.maxWait;
    onFailure = builder.onFailure;
    answers = new HttpAnswers(admission, builder.policyNames);
    statusLinks = builder.statusLinks;
  }

  /**
   * With addresses of connections, without waiting, and with ids of rules as names of policies.
   *
   * @param admission decides; stays the caller's to close
   */
  public static Builder builder(Admission admission, QuotaExtractor extractor) {
    return new Builder(admission, extractor);
  }

  /** Whether requests may wait for their permits: then use {@link #decideAsync}. */
  public boolean waits() {
    return maxWait.compareTo(Duration.ZERO) > 0;
  }

  /** Decides a request at once. */
  public Verdict decide(HttpSource source) {
    try {
      Optional<Request> request = extractor.extract(new HttpView(source, addresses));
      return request.isEmpty()
          ? Verdict.Run.UNCOUNTED
          : verdict(request.get(), admission.decide(request.get()));
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  /**
   * Decides a request, and lets it wait for permits that are on their way. No thread waits. A
   * future that is cancelled takes no permits.
   */
  public CompletableFuture<Verdict> decideAsync(HttpSource source) {
    try {
      Optional<Request> request = extractor.extract(new HttpView(source, addresses));
      return request.isEmpty()
          ? CompletableFuture.completedFuture(Verdict.Run.UNCOUNTED)
          : decideAsync(request.get(), maxWait);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(failed(e));
    }
  }

  /**
   * Like {@link #decideAsync(HttpSource)}, for a request whose attributes are known.
   *
   * @param wait how long it may wait for its permits; zero or less does not wait
   */
  public CompletableFuture<Verdict> decideAsync(Request request, Duration wait) {
    try {
      CompletableFuture<Decision> decided = admission.decideAsync(request, wait);
      CompletableFuture<Verdict> verdict =
          decided.thenApply(decision -> verdict(request, decision)).exceptionally(this::failed);
      verdict.whenComplete((made, failure) -> decided.cancel(false));
      return verdict;
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(failed(e));
    }
  }

  /** The answer to a request that was refused by code that decides for itself. */
  public HttpAnswer answer(Decision refused) {
    try {
      return answers.refused(refused);
    } catch (RuntimeException e) {
      incidents.tell("a refusal cannot be explained to its client", e);
      return answers.notReady();
    }
  }

  private Verdict verdict(Request request, Decision decision) {
    if (decision.admitted()) {
      return new Verdict.Run(answers.headers(decision));
    }
    boolean isDeferrable =
        decision instanceof Decision.Throttled throttled && throttled.deferrable();
    return new Verdict.Refused(request, decision, isDeferrable, answer(decision));
  }

  private Verdict failed(Throwable e) {
    incidents.tell("a request was not decided, and is " + words(), e);
    return onFailure == OnFailure.RUN
        ? Verdict.Run.UNCOUNTED
        : new Verdict.Failed(answers.notReady());
  }

  private String words() {
    return onFailure == OnFailure.RUN ? "run uncounted" : "refused";
  }

  /**
   * Hands a refused request over to be run later, with its trace context.
   *
   * @return 202 if the enforcer has it, or it is durable; otherwise the refusal
   */
  public CompletableFuture<HttpAnswer> defer(
      AdmissionClient client, Verdict.Refused refused, Deferral deferral, HttpSource source) {
    try {
      return client
          .defer(refused.request(), TraceContext.addTo(deferral, source))
          .handle((answer, failure) -> deferred(refused, answer, failure));
    } catch (RuntimeException e) {
      incidents.tell("a request was not deferred, and is refused", e);
      return CompletableFuture.completedFuture(refused.answer());
    }
  }

  HttpAnswer deferred(
      Verdict.Refused refused, @Nullable Deferred answer, @Nullable Throwable failure) {
    if (answer instanceof Deferred.Accepted accepted) {
      return answers.deferred(accepted.id(), link(accepted.id()), Optional.of(accepted));
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof DeferralTimeoutException timeout) {
      return answers.deferred(timeout.id(), link(timeout.id()), Optional.empty());
    }
    if (cause != null) {
      incidents.tell("a request was not deferred, and is refused", cause);
    }
    return refused.answer();
  }

  /** The request will run whether or not its client can be told where to ask for it. */
  private Optional<String> link(String id) {
    try {
      return statusLinks.apply(id);
    } catch (RuntimeException e) {
      incidents.tell("a deferred request has no status link", e);
      return Optional.empty();
    }
  }

  /** Settings of an {@link HttpQuota}. For one thread. */
  public static final class Builder {
    private final Admission admission;
    private final QuotaExtractor extractor;
    private ClientAddress addresses = ClientAddress.ofConnection();
    private Duration maxWait = Duration.ZERO;
    private OnFailure onFailure = OnFailure.RUN;
    private Function<RuleId, String> policyNames = RuleId::id;
    private Function<String, Optional<String>> statusLinks = id -> Optional.empty();

    private Builder(Admission admission, QuotaExtractor extractor) {
      this.admission = admission;
      this.extractor = extractor;
    }

    /** Which address a request counts as sent from; that of the connection by default. */
    public Builder clientAddress(ClientAddress by) {
      addresses = by;
      return this;
    }

    /** How long a request may wait for permits that are on their way; not at all by default. */
    public Builder maxWait(Duration most) {
      maxWait = most;
      return this;
    }

    /** The treatment of a request that cannot be decided; it runs by default. */
    public Builder onFailure(OnFailure what) {
      onFailure = what;
      return this;
    }

    /** The name of a rule that clients see, in printable ASCII; its id by default. */
    public Builder policyNames(Function<RuleId, String> names) {
      policyNames = names;
      return this;
    }

    /** Where a deferred request's standing can be read, by its id; said in {@code Location}. */
    public Builder statusLinks(Function<String, String> links) {
      statusLinks = id -> Optional.of(links.apply(id));
      return this;
    }

    /** The quota with these settings. */
    public HttpQuota build() {
      return new HttpQuota(this);
    }
  }
}
