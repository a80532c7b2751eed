package io.quotaenforcer.rules;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.rules.RuleField.Reading;
import io.quotaenforcer.rules.Spelling.Doc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** How limits follow the load of a service, as a rule file has it. */
final class AdaptFields {
  static final String ADAPT = "adapt";
  static final String LOAD = "load";
  static final String STEPS = "steps";
  static final String FLOOR = "floor";
  static final String CEILING = "ceiling";
  static final String WITHOUT_SIGNAL = "without-signal";
  static final String HOLD = "hold";
  private static final List<String> KEYS =
      List.of(LOAD, STEPS, FLOOR, CEILING, WITHOUT_SIGNAL, HOLD);
  private static final String ONE = "{when: \"cpu > 80%\", for: 5s, to: 50%}";
  private static final String EXAMPLE = "{steps: [" + ONE + "], floor: 10%}";

  static final List<Doc> DOCS =
      List.of(
          new Doc(
              "`adapt`",
              "[the limit follows the load](#limits-that-follow-the-load) of the service; not with"
                  + " `elastic`, `limits-from`, `over-limit: defer` or `limit.concurrent`",
              "the limit stays as it is"),
          new Doc(
              "`adapt.load`",
              "whose: of the `service`, or of each `instance` by itself, with `enforcement:"
                  + " per-instance`",
              "`service`"),
          new Doc("`adapt.steps`", "1 to 8, each by itself: the lowest counts", "required"),
          new Doc(
              "`adapt.steps.when`",
              "`cpu > 80%`, `latency.p99 > 300ms`: `cpu`, `in-flight`, `throughput`,"
                  + " `latency.p90`, `latency.p99`, `errors` or `queue`, `>` or `<`, and a bound",
              "required"),
          new Doc("`adapt.steps.for`", "how long it must hold, `0` to `1h`", "`5s`"),
          new Doc(
              "`adapt.steps.to`",
              "`50%` of the limit; or `served`, what the service gets done, for rules without"
                  + " `key`",
              "this or `by`"),
          new Doc(
              "`adapt.steps.by`",
              "`-10%` of what is in force, again each time that the condition has lasted",
              "this or `to`"),
          new Doc(
              "`adapt.steps.recover`",
              "`+5% per 10s` of the limit; or `+0.3% per 1s up to 8%` of what is in force, less"
                  + " near the bound and more far from it",
              "`+0.3% per 1s up to 8%`"),
          new Doc("`adapt.floor`", "`0.01%` to `100%`: in force at least", "`10%`"),
          new Doc("`adapt.ceiling`", "up to `1000%`: in force while nothing lowers it", "`100%`"),
          new Doc(
              "`adapt.without-signal`",
              "in force at most once nobody says what the load is; `floor` to `ceiling`",
              "`adapt.ceiling`: what is in force stays"),
          new Doc(
              "`adapt.hold`",
              "how long the limit stays as it is when signals stop, `0` to `1h`",
              "`30s`"));

  private AdaptFields() {}

  static @Nullable Optional<AdaptTerms> read(Reading reading, Node node) {
    Problems problems = reading.problems();
    Fields fields = Fields.of(node, "adapt must be a mapping such as " + EXAMPLE, problems);
    if (fields == null) {
      return null;
    }
    fields.only(KEYS);
    int before = problems.count();
    checkRule(reading, node);
    LoadScope load = load(reading, fields);
    List<AdaptStep> steps = steps(reading, fields);
    Scalars scalars = reading.scalars();
    Integer floor =
        fields.value(
            FLOOR, AdaptTerms.DEFAULT_FLOOR, (value, name) -> scalars.percent(value, name, 1));
    Integer ceiling =
        fields.value(
            CEILING,
            AdaptTerms.WHOLE,
            (value, name) -> scalars.percent(value, name, 1, AdaptTerms.MAX_CEILING));
    Long hold =
        fields.value(
            HOLD,
            AdaptTerms.DEFAULT_HOLD_NANOS,
            (value, name) -> scalars.duration(value, name, Duration.ZERO, AdaptStepReader.LONGEST));
    if (steps == null || floor == null || ceiling == null || hold == null) {
      return null;
    }
    checkFloor(problems, fields, steps, floor);
    checkCeiling(reading, fields, floor, ceiling);
    Integer without =
        fields.value(
            WITHOUT_SIGNAL,
            ceiling,
            (value, name) -> scalars.percent(value, name, floor, Math.max(floor, ceiling)));
    return without == null || problems.count() > before
        ? null
        : Optional.of(new AdaptTerms(load, steps, floor, ceiling, without, hold, 1));
  }

  private static LoadScope load(Reading reading, Fields fields) {
    LoadScope load =
        fields.value(
            LOAD,
            LoadScope.SERVICE,
            (value, name) -> reading.scalars().constant(value, name, LoadScope.values()));
    Enforcement enforcement = reading.ifRight(RuleFields.ENFORCEMENT);
    if (load == LoadScope.INSTANCE
        && enforcement != null
        && enforcement != Enforcement.PER_INSTANCE) {
      reading
          .problems()
          .at(
              fields.node(),
              "load: instance is for enforcement: per-instance, whose instances have a limit each;"
                  + " set that, or leave out load for the load of the service");
    }
    return load == null ? LoadScope.SERVICE : load;
  }

  /** Reports what limits that follow the load do not go with. */
  private static void checkRule(Reading reading, Node node) {
    Limit limit = reading.ifRight(RuleFields.LIMIT);
    OverLimit overLimit = reading.ifRight(RuleFields.OVER_LIMIT);
    String problem = null;
    if (limit instanceof ConcurrencyLimit) {
      problem = "limit.concurrent, whose slots are not lowered by it; limit permits per period";
    } else if (limit != null && limit.permits() == 0) {
      problem = "a limit of 0, of which there is no part; give it permits";
    } else if (overLimit != null && overLimit.defers()) {
      problem =
          "over-limit: defer, whose queues go by the limit as it is written; use over-limit:"
              + " throttle";
    } else if (isThere(reading.ifRight(RuleFields.ELASTIC))) {
      problem = "elastic, which is a part of the limit as it is written; remove one of them";
    } else if (isThere(reading.ifRight(RuleFields.PLANS))) {
      problem = "limits-from; remove one of them";
    }
    if (problem != null) {
      reading.problems().at(node, "adapt is not for rules with " + problem);
    }
  }

  private static boolean isThere(@Nullable Optional<?> value) {
    return value != null && value.isPresent();
  }

  private static @Nullable List<AdaptStep> steps(Reading reading, Fields fields) {
    Problems problems = reading.problems();
    Node node = fields.required(STEPS, "give one such as " + ONE);
    if (node == null) {
      return null;
    }
    List<Node> items = Fields.items(node, "steps must be a list such as [" + ONE + "]", problems);
    if (items == null) {
      return null;
    }
    if (items.isEmpty() || items.size() > AdaptTerms.MAX_STEPS) {
      problems.at(
          node,
          "steps must be 1 to %d, not %d; leave out adapt for a limit that stays as it is"
              .formatted(AdaptTerms.MAX_STEPS, items.size()));
      return null;
    }
    AdaptStepReader reader = new AdaptStepReader(problems);
    RuleKey key = reading.ifRight(RuleFields.KEY);
    List<AdaptStep> steps = new ArrayList<>();
    for (Node item : items) {
      AdaptStep step = reader.read(item);
      if (step == null) {
        continue;
      }
      if (step.lowering() instanceof Lowering.ToServed && key != null && !key.names().isEmpty()) {
        problems.at(
            item,
            "to: served compares the limit with all that the service gets done, which a rule with a"
                + " key has no limit of; remove the key, or give a part such as to: 50%");
        continue;
      }
      steps.add(step);
    }
    return steps.size() == items.size() ? steps : null;
  }

  private static void checkFloor(
      Problems problems, Fields fields, List<AdaptStep> steps, int floor) {
    for (AdaptStep step : steps) {
      if (step.lowering() instanceof Lowering.To to && to.basisPoints() < floor) {
        problems.at(
            fields.node(),
            "to of %s is below the floor of %s, which would stay in force; lower the floor"
                .formatted(Words.percent(to.basisPoints()), Words.percent(floor)));
      }
    }
  }

  private static void checkCeiling(Reading reading, Fields fields, int floor, int ceiling) {
    Node node = fields.optional(CEILING);
    if (ceiling < floor) {
      reading
          .problems()
          .at(
              node == null ? fields.node() : node,
              "ceiling of %s is below the floor of %s; raise it, or lower the floor"
                  .formatted(Words.percent(ceiling), Words.percent(floor)));
      return;
    }
    Limit limit = reading.ifRight(RuleFields.LIMIT);
    if (limit == null || node == null || ceiling <= AdaptTerms.WHOLE) {
      return;
    }
    try {
      limit.withPermits(limit.permits() * ceiling / AdaptTerms.WHOLE);
    } catch (IllegalArgumentException e) {
      reading
          .problems()
          .at(
              node,
              "ceiling of %s is no limit of this kind, which %s; lower it"
                  .formatted(Words.percent(ceiling), e.getMessage()));
    }
  }
}
