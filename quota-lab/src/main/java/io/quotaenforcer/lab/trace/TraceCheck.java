package io.quotaenforcer.lab.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Recomputes a verdict from a trace alone. It deliberately shares no code with the verdict of the
 * run or with the algorithms of the product: it states their definitions again, in microseconds and
 * whole numbers.
 */
public final class TraceCheck {
  private final TraceFacts facts;
  private final Map<String, RuleCheck> checks = new LinkedHashMap<>();

  private TraceCheck(TraceFacts facts) {
    this.facts = facts;
    for (RuleFacts rule : facts.rules()) {
      checks.put(rule.rule(), RuleCheck.of(facts, rule));
    }
  }

  /**
   * Reads the trace in {@code directory}.
   *
   * @throws IllegalArgumentException when no request is in it
   */
  public static Result check(Path directory) throws IOException {
    TraceReader reader = TraceReader.open(directory);
    TraceCheck check = new TraceCheck(reader.facts());
    reader.forEach(check::accept);
    Result result = check.result();
    if (result.requests() == 0) {
      throw new IllegalArgumentException("must hold a request: trace=" + directory);
    }
    return result;
  }

  private void accept(TraceRow row) {
    RuleCheck check = checks.get(row.rule());
    if (check == null || !facts.instances().contains(row.instance())) {
      throw new IllegalArgumentException("must be of a known rule and instance: " + row);
    }
    check.accept(row);
  }

  private Result result() {
    List<RuleFigures> perRule = new ArrayList<>();
    checks.values().forEach(check -> perRule.add(check.figures()));
    return new Result(perRule);
  }

  /** Findings in a trace. */
  public record Result(List<RuleFigures> perRule) {
    public Result {
      perRule = List.copyOf(perRule);
    }

    /** A trace in which nothing was admitted shows nothing. */
    public boolean kept() {
      return admitted() > 0 && perRule.stream().allMatch(RuleFigures::kept);
    }

    public long requests() {
      return perRule.stream().mapToLong(RuleFigures::requests).sum();
    }

    public long admitted() {
      return perRule.stream().mapToLong(RuleFigures::admitted).sum();
    }

    public long mislabelled() {
      return perRule.stream().mapToLong(RuleFigures::mislabelled).sum();
    }
  }

  /**
   * Figures of one rule in a trace: requests are counted, all else is in permits.
   *
   * @param over permits over the limit, all keys and windows together
   * @param worstOver permits over the limit in one window of one key
   * @param bound the promised bound for {@code worstOver}
   * @param worstCase the bound if all instances opened a key at once
   * @param grantedOver granted permits over the limit, taken alone
   * @param opened permits that instances admitted by their own count
   * @param mostOpened the most opened by one instance in one period of one key
   * @param openingAllowed the rule's allowance for {@code mostOpened}
   */
  public record RuleFigures(
      String rule,
      long requests,
      long admitted,
      long admittedPermits,
      long allowedPermits,
      long over,
      long worstOver,
      long bound,
      long worstCase,
      long grantedOver,
      long opened,
      long mostOpened,
      long openingAllowed,
      long mislabelled) {

    public long throttled() {
      return requests - admitted;
    }

    public double utilisation() {
      return allowedPermits == 0 ? 1 : (double) admittedPermits / allowedPermits;
    }

    /** A rule that admitted nothing although it could have shows nothing. */
    public boolean kept() {
      return (admitted > 0 || allowedPermits == 0)
          && worstOver <= bound
          && grantedOver == 0
          && mostOpened <= openingAllowed
          && mislabelled == 0;
    }
  }
}
