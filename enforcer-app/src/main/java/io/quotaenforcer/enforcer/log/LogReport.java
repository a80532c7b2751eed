package io.quotaenforcer.enforcer.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quotaenforcer.enforcer.verdict.RuleVerdict;
import java.util.List;
import java.util.Locale;

/**
 * The outcome of running a log.
 *
 * @param lines unparsed + admitted + throttled; the header of a CSV log is none
 * @param unmatched admitted because no rule matched; part of {@code admitted}
 * @param loopLogSeconds how long one loop, from report to answer, was in the log's time
 * @param topClients the busiest quota keys, by the rule that decided
 * @param unparsedLines the first of the lines that could not be read
 */
public record LogReport(
    long lines,
    long unparsed,
    long admitted,
    long throttled,
    long unmatched,
    double speed,
    double loopLogSeconds,
    boolean kept,
    List<RuleReport> perRule,
    List<Client> topClients,
    List<UnparsedLine> unparsedLines) {

  public LogReport {
    perRule = List.copyOf(perRule);
    topClients = List.copyOf(topClients);
    unparsedLines = List.copyOf(unparsedLines);
  }

  public String toJson() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the report could not be written", e);
    }
  }

  /** The requests of one quota key. */
  public record Client(String quotaKey, long requests, long admitted, long throttled) {}

  /** A line that could not be read, and why. */
  public record UnparsedLine(long lineNumber, String reason) {}

  /**
   * The outcome of one rule: requests are counted, all else is in permits.
   *
   * @param over permits over the limit, all keys and windows together
   * @param worstOver permits over the limit in the worst window of the worst key
   * @param bound what the promise allows for {@code worstOver}
   */
  public record RuleReport(
      String rule,
      String enforcement,
      long limit,
      double periodSeconds,
      long requests,
      long admitted,
      long throttled,
      long admittedPermits,
      long allowedPermits,
      long over,
      long worstOver,
      long bound,
      double utilisation,
      boolean kept) {

    static RuleReport of(RuleVerdict verdict) {
      return new RuleReport(
          verdict.rule().id().toString(),
          verdict.rule().enforcement().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          verdict.rule().limit().permits(),
          verdict.rule().limit().periodNanos() / 1e9,
          verdict.requests(),
          verdict.admitted(),
          verdict.throttled(),
          verdict.admittedPermits(),
          verdict.allowedPermits(),
          verdict.over(),
          verdict.worstOver(),
          verdict.bound(),
          verdict.utilisation(),
          verdict.kept());
    }
  }
}
