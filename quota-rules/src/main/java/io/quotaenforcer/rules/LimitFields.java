package io.quotaenforcer.rules;

import static io.quotaenforcer.core.algorithm.Algorithm.CONCURRENCY;
import static io.quotaenforcer.core.algorithm.Algorithm.LEAKY_BUCKET;
import static io.quotaenforcer.core.algorithm.Algorithm.SLIDING_LOG;
import static io.quotaenforcer.core.algorithm.Algorithm.SLIDING_SUB_WINDOWS;
import static io.quotaenforcer.core.algorithm.Algorithm.TOKEN_BUCKET;

import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.LimitTerms.Refill;
import io.quotaenforcer.core.algorithm.Windows;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The fields of {@code limit}. */
final class LimitFields {
  static final String CONCURRENT = "concurrent";
  static final String MAX_HOLD = "max-hold";

  /** Those of permits per period. */
  static final Algorithm[] PER_PERIOD =
      Arrays.stream(Algorithm.values())
          .filter(each -> each != CONCURRENCY)
          .toArray(Algorithm[]::new);

  /**
   * A field that only some algorithms have.
   *
   * @param algorithms the first is the one to recommend
   */
  record Term(Spelling<LimitTerms> spelling, List<Algorithm> algorithms) {
    static Term of(
        List<Algorithm> algorithms,
        String name,
        Function<LimitTerms, Object> value,
        Predicate<LimitTerms> isDefault) {
      return new Term(
          Spelling.<LimitTerms>of(name, terms -> value.apply(terms).toString())
              .leftOutIf(terms -> !algorithms.contains(terms.algorithm()) || isDefault.test(terms)),
          algorithms);
    }

    Term doc(String values, String byDefault) {
      return new Term(spelling.doc(values, byDefault), algorithms);
    }
  }

  /** The terms that every limit has. */
  private static final List<Spelling<LimitTerms>> OF_EACH =
      List.of(
          Spelling.<LimitTerms>of("permits", terms -> Long.toString(terms.permits()))
              .leftOutIf(LimitFields::isOfSlots)
              .doc(
                  "whole number, 0 to 10^12, of a bucket 1 at least; `1_000` may be written",
                  "required"),
          Spelling.<LimitTerms>of("per", LimitFields::per)
              .leftOutIf(LimitFields::isOfSlots)
              .doc(
                  "`100ms` to `400d`, in whole milliseconds; `PT1M` is accepted; or of the"
                      + " calendar: `minute`, `hour`, `day`, `week`, `month`, `year`",
                  "required"),
          Spelling.<LimitTerms>of("algorithm", terms -> Words.of(terms.algorithm()))
              .leftOutIf(LimitFields::isOfSlots)
              .doc(
                  "`%s` ([which one](algorithms.md)); a period of the calendar goes with `fixed-window` only"
                      .formatted(String.join("`, `", Words.of(PER_PERIOD))),
                  "`sliding-window`; `fixed-window` with a period of the calendar"));

  static final List<Term> TERMS =
      List.of(
          Term.of(List.of(TOKEN_BUCKET, LEAKY_BUCKET), "burst", LimitTerms::burst, terms -> false)
              .doc(
                  "of a token bucket, the tokens that it holds; of a leaky bucket, the requests that"
                      + " may come too early",
                  "`permits`; `0` of a leaky bucket"),
          Term.of(
                  List.of(TOKEN_BUCKET),
                  "initial",
                  LimitTerms::initial,
                  terms -> terms.initial() == terms.burst())
              .doc("tokens that a token bucket holds at first, up to `burst`", "`burst`"),
          Term.of(
                  List.of(TOKEN_BUCKET),
                  "refill",
                  terms -> Words.of(terms.refill()),
                  terms -> terms.refill() == Refill.GREEDY)
              .doc(
                  "of a token bucket: `greedy`, one by one; `interval`, all at the end of each"
                      + " `per`",
                  "`greedy`"),
          Term.of(
                  List.of(TOKEN_BUCKET),
                  "warm-up",
                  terms -> Words.period(terms.warmUpNanos()),
                  terms -> terms.warmUpNanos() == 0)
              .doc(
                  "`1ms` to `1d`: time in which the rate of a token bucket climbs from a third to"
                      + " the whole; not with `refill: interval`",
                  "none"),
          Term.of(List.of(SLIDING_SUB_WINDOWS), "slots", LimitTerms::slots, terms -> false)
              .doc(
                  "parts of `per` in which sliding sub-windows count, 2 to 100, of at least 10 ms"
                      + " each",
                  "required there"),
          Term.of(
                  List.of(SLIDING_LOG),
                  "count-throttled",
                  LimitTerms::countThrottled,
                  terms -> !terms.countThrottled())
              .doc("`true`, `false`: whether a sliding log counts throttled requests", "`false`"));

  /** Written with the period that it is of. */
  private static final Spelling<LimitTerms> ZONE =
      Spelling.<LimitTerms>of("zone", LimitFields::zone)
          .leftOutIf(terms -> true)
          .doc("time zone of a period of the calendar, such as `Europe/Berlin`", "`UTC`");

  /** The terms of a concurrency limit, which has no others. */
  static final List<Spelling<LimitTerms>> OF_SLOTS =
      List.of(
          Spelling.<LimitTerms>of(CONCURRENT, terms -> Long.toString(terms.permits()))
              .leftOutIf(terms -> !isOfSlots(terms))
              .doc(
                  "instead of `permits` and `per`: [slots](#how-many-at-a-time), that is how many"
                      + " requests may run at a time, 0 to 10^12",
                  "none"),
          Spelling.<LimitTerms>of(MAX_HOLD, terms -> Words.period(terms.maxHoldNanos()))
              .leftOutIf(terms -> !isOfSlots(terms))
              .doc(
                  "`100ms` to `1d`: how long a request runs at most; slots of an instance that is"
                      + " gone are free so long after its lease",
                  "required with `concurrent`"));

  static final List<Spelling<LimitTerms>> SPELLINGS =
      Stream.of(
              OF_EACH.stream(),
              TERMS.stream().map(Term::spelling),
              Stream.of(ZONE),
              OF_SLOTS.stream())
          .<Spelling<LimitTerms>>flatMap(fields -> fields)
          .toList();

  private LimitFields() {}

  /** {@code {permits: 2, per: 1s, algorithm: fixed-window}}. */
  static String text(Limit limit) {
    return Spelling.inBraces(SPELLINGS, limit.terms());
  }

  static boolean isOfSlots(LimitTerms terms) {
    return terms.algorithm() == CONCURRENCY;
  }

  private static String per(LimitTerms terms) {
    String zone = zone(terms);
    return Words.per(terms.windows()) + (zone.isEmpty() ? "" : ", zone: " + zone);
  }

  private static String zone(LimitTerms terms) {
    return terms.windows() instanceof Windows.Calendar calendar
        ? YamlValues.text(calendar.zone().getId())
        : "";
  }
}
