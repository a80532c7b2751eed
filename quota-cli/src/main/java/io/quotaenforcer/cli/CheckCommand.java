package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.adapt.AdaptedLimit;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.rules.RequestExplanation;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quota check}: one live decision, as an embedded client would make it. */
@Command(
    name = "check",
    description = {
      "Decides one request by the rules in force, as a service would, and takes its permits.",
      "Exit code 0: admitted, 1: throttled, 3: not decided, as the rules could not be read."
    })
final class CheckCommand implements Callable<Integer> {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
  private static final double NANOS_PER_SECOND = 1e9;

  private final CommonOptions options;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "ATTRIBUTE=VALUE",
      description = "Attributes of the request, such as user=42 'api=POST /posts'.")
  private Map<String, String> attributes = new LinkedHashMap<>();

  @Option(
      names = "--cost",
      defaultValue = "1",
      description = "Permits that the request takes. Default: 1.")
  private long cost;

  @Mixin private final HashKeysOption hashKeys = new HashKeysOption();

  CheckCommand(CommonOptions options) {
    this.options = options;
  }

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    Request request = request();
    Map<String, Object> properties = ClientProperties.of(options);
    properties.putAll(hashKeys.asSettings(options.environment()));
    options.connect().close();
    try (AdmissionClient client = AdmissionClient.create(properties)) {
      if (!client.awaitRules(RULES_TIMEOUT)) {
        throw new CommandException(
            ExitCode.UNREACHABLE,
            "cannot read the rules under prefix %s within %d s: %s; run: quota topics check"
                .formatted(options.prefix(), RULES_TIMEOUT.toSeconds(), why(client.readiness())));
      }
      Decision decision = client.decideAsync(request, ANSWER_TIMEOUT).get();
      if (decision instanceof Decision.NotReady) {
        if (client.readiness() instanceof Readiness.Ready) {
          throw new CommandException(
              ExitCode.USAGE,
              "a rule that matches hashes %s: %s"
                  .formatted(new TreeSet<>(client.rules().hashed()), HashKeysOption.GIVE));
        }
        throw new CommandException(
            ExitCode.UNREACHABLE, "the rules are not known yet: " + why(client.readiness()));
      }
      show(decision);
      notes(request, client.rules())
          .forEach(note -> spec.commandLine().getErr().println(Printable.line("note: " + note)));
      return decision.admitted() ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private Request request() {
    if (cost < 1 || cost > PermitCount.MAX_COST) {
      throw new ParameterException(
          spec.commandLine(),
          "must be from 1 to %d: --cost=%d".formatted(PermitCount.MAX_COST, cost));
    }
    return new Request(attributes, cost);
  }

  /** Attributes that no rule uses: they may be mistyped. */
  static List<String> notes(Request request, RuleSet rules) {
    return RequestExplanation.of(request, rules.rules(), 1, 1).notes();
  }

  /**
   * Reason why the rules are unknown, with the origin of the registry's address if the registry is
   * at fault.
   */
  private String why(Readiness readiness) {
    String reason = reason(readiness);
    String origin = options.registry().origin();
    return reason.contains("schema registry") && !origin.isEmpty()
        ? reason + " (the schema registry of " + origin + ")"
        : reason;
  }

  static String reason(Readiness readiness) {
    if (readiness instanceof Readiness.NotYet notYet) {
      return notYet.why();
    }
    if (readiness instanceof Readiness.OfLastTime lastTime) {
      return lastTime.why();
    }
    if (readiness instanceof Readiness.Incomplete incomplete) {
      return incomplete.unreadable().entrySet().stream()
          .map(rule -> rule.getKey() + " cannot be read: " + rule.getValue())
          .collect(Collectors.joining("; "));
    }
    return "they were read only now";
  }

  private void show(Decision decision) {
    PrintWriter out = spec.commandLine().getOut();
    Optional<RuleDecision> by = decision.rule();
    if (options.json()) {
      var json = Json.object().put("outcome", decision.admitted() ? "admitted" : "throttled");
      by.ifPresent(
          rule -> {
            json.put("quotaKey", rule.quotaKey().toString())
                .put("limit", rule.limit())
                .put("known", rule.known())
                .put("remaining", rule.known() ? rule.remaining() : null)
                .put("resetSeconds", rule.known() ? rule.resetNanos() / NANOS_PER_SECOND : null)
                .put("retryAfterSeconds", retryAfterSeconds(rule))
                .put("denied", rule.isDenied())
                .put("notGrantedYet", rule.reason() == ThrottleReason.NOT_GRANTED_YET)
                .put("penalty", rule.reason() == ThrottleReason.PENALTY)
                .put("degraded", rule.degraded())
                .put("source", source(decision, rule).name().toLowerCase(Locale.ROOT));
            rule.adapted().ifPresent(limit -> put(json.putObject("adapted"), limit));
          });
      out.println(Json.write(json));
      return;
    }
    out.println(by.map(rule -> line(decision, rule)).orElse("admitted: no rule matches"));
  }

  /** A rule's decision in one line. */
  static String line(Decision decision, RuleDecision rule) {
    if (rule.isDenied() && !decision.admitted()) {
      return "throttled by %s: denied".formatted(Printable.line(rule.quotaKey().toString()));
    }
    if (rule.reason() == ThrottleReason.PENALTY && !decision.admitted()) {
      return "throttled by %s: under a penalty%s"
          .formatted(Printable.line(rule.quotaKey().toString()), retryAfter(decision, rule));
    }
    return "%s by %s: limit %d%s%s%s%s%s"
        .formatted(
            decision.admitted() ? "admitted" : "throttled",
            Printable.line(rule.quotaKey().toString()),
            rule.limit(),
            rule.known() ? left(rule) : ", remaining not known yet",
            rule.reason() == ThrottleReason.NOT_GRANTED_YET ? ", not granted yet" : "",
            decision.admitted() ? "" : retryAfter(decision, rule),
            how(source(decision, rule), rule.degraded()),
            rule.adapted().map(limit -> "; by the load " + limit).orElse(""));
  }

  private static void put(ObjectNode json, AdaptedLimit limit) {
    json.put("nominal", limit.nominal())
        .put("since", limit.why().since().toString())
        .put("cause", limit.why().cause().spelling())
        .put("reason", limit.why().reason());
  }

  private static PermitSource source(Decision decision, RuleDecision rule) {
    return decision.admitted() ? rule.source() : PermitSource.NONE;
  }

  /** Source of the permits, as shown beside the figures. */
  static String how(PermitSource source, boolean isAway) {
    return switch (source) {
      case GRANTED -> isAway ? " (granted; the enforcer is away)" : " (granted)";
      case OPENING -> " (opened by its own count)";
      case DEGRADED -> " (the enforcer is away)";
      case NONE -> isAway ? " (the enforcer is away)" : "";
    };
  }

  private static String left(RuleDecision rule) {
    return ", remaining %d, resets in %.3f s"
        .formatted(rule.remaining(), rule.resetNanos() / NANOS_PER_SECOND);
  }

  /** Null for a request that may never succeed: JSON knows no infinity. */
  private static @Nullable Double retryAfterSeconds(RuleDecision rule) {
    return rule.retryAfterNanos() == RuleDecision.NEVER_NANOS
        ? null
        : Double.valueOf(rule.retryAfterNanos() / NANOS_PER_SECOND);
  }

  private static String retryAfter(Decision decision, RuleDecision rule) {
    return decision.neverAdmitted()
        ? ", never: it costs more than the limit"
        : ", retry after %.3f s".formatted(rule.retryAfterNanos() / NANOS_PER_SECOND);
  }
}
