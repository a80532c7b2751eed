package io.quotaenforcer.http;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.RateLimitHeaders;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.rule.Consequence;
import io.quotaenforcer.core.rule.Rule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decisions as HTTP answers: the same in every framework. Immutable, for any thread.
 *
 * <p>A refusal has the {@code status} of its rule and a body of problem details (RFC 9457), by the
 * problem types of draft-ietf-httpapi-ratelimit-headers-11: {@code quota-exceeded} if the limit is
 * used up, {@code temporary-reduced-capacity} if the enforcer is away or has not granted the
 * permits yet, {@code abnormal-usage-detected} under a penalty. As long as no rules are known, it
 * is 503.
 */
final class HttpAnswers {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final int ACCEPTED = 202;
  private static final int UNAVAILABLE = 503;

  private enum Problem {
    QUOTA("quota-exceeded", "The quota is used up"),
    UNSURE("temporary-reduced-capacity", "The service cannot say now whether the quota is used up"),
    PENALTY("abnormal-usage-detected", "All is refused for a while after too many refusals");

    private final String type;
    private final String title;

    Problem(String type, String title) {
      this.type = type;
      this.title = title;
    }

    static Problem of(RuleDecision by) {
      if (by.reason() == ThrottleReason.PENALTY) {
        return PENALTY;
      }
      return by.degraded() || by.reason() == ThrottleReason.NOT_GRANTED_YET ? UNSURE : QUOTA;
    }
  }

  private final Admission admission;
  private final Function<RuleId, String> policyNames;

  /**
   * @param policyNames gives the name of a rule that clients see
   */
  HttpAnswers(Admission admission, Function<RuleId, String> policyNames) {
    this.admission = admission;
    this.policyNames = policyNames;
  }

  /** Headers of the service's own answer to a request that runs. */
  Map<String, String> headers(Decision decision) {
    return RateLimitHeaders.of(decision, policyNames);
  }

  /** The answer to a request that is not admitted. */
  HttpAnswer refused(Decision decision) {
    return decision.rule().map(rule -> refused(decision, rule)).orElseGet(this::notReady);
  }

  private HttpAnswer refused(Decision decision, RuleDecision by) {
    RuleId id = by.quotaKey().rule();
    int status = admission.rules().rule(id).map(Rule::status).orElse(Consequence.TOO_MANY_REQUESTS);
    String policy = policyNames.apply(id);
    Problem problem = Problem.of(by);
    Json body =
        new Json()
            .text("type", TYPES + problem.type)
            .text("title", problem.title)
            .number("status", status)
            .text("detail", detail(decision, policy))
            .texts("violated-policies", List.of(policy));
    return problem(status, headers(decision), body);
  }

  private static String detail(Decision decision, String policy) {
    String when =
        decision.neverAdmitted()
            ? "trying again is of no use"
            : decision
                .retryAfter()
                .map(after -> "try again in " + RateLimitHeaders.seconds(after) + " s")
                .orElse("try again later");
    return "refused by " + policy + "; " + when;
  }

  /** The answer as long as no rules are known, or if we failed and the service wants no request. */
  HttpAnswer notReady() {
    Json body =
        new Json()
            .text("type", TYPES + Problem.UNSURE.type)
            .text("title", Problem.UNSURE.title)
            .number("status", UNAVAILABLE);
    return problem(UNAVAILABLE, Map.of(RateLimitHeaders.RETRY_AFTER, "1"), body);
  }

  /**
   * The answer to a request that was handed over, and will run later.
   *
   * @param link where its standing can be read
   */
  HttpAnswer deferred(String id, Optional<String> link, Optional<Deferred.Accepted> accepted) {
    Map<String, String> headers = new LinkedHashMap<>();
    link.ifPresent(address -> headers.put("Location", address));
    headers.put("Content-Type", "application/json");
    Json body = new Json().text("id", id).text("status", "deferred");
    accepted.ifPresent(each -> body.number("waiting", each.waiting()));
    return new HttpAnswer(ACCEPTED, Collections.unmodifiableMap(headers), body.toString());
  }

  private static HttpAnswer problem(int status, Map<String, String> headers, Json body) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("Content-Type", "application/problem+json");
    return new HttpAnswer(status, Collections.unmodifiableMap(all), body.toString());
  }
}
