package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Overrides;
import io.quotaenforcer.schemas.RuleOverride;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Overrides, to and from the wire. */
final class OverrideMapping {
  private OverrideMapping() {}

  static RuleOverride toRecord(io.quotaenforcer.core.rule.RuleOverride override) {
    Map<String, String> values = new HashMap<>();
    Map<String, Matcher> conditions = new HashMap<>();
    override
        .key()
        .forEach(
            (attribute, matcher) -> {
              if (matcher instanceof Matcher.Exact exact) {
                values.put(attribute, exact.value());
              } else {
                conditions.put(attribute, matcher);
              }
            });
    return new RuleOverride(
        values,
        override.limit().map(LimitMapping::toRecord).orElse(null),
        override.effect() instanceof OverrideEffect.Exempt,
        MatchMapping.toRecords(conditions),
        override.effect() instanceof OverrideEffect.Denied);
  }

  /**
   * Reads overrides.
   *
   * @param ofRule the limit that an override inherits from its rule
   */
  static Overrides fromRecords(List<RuleOverride> records, Limit ofRule) {
    List<io.quotaenforcer.core.rule.RuleOverride> overrides = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      RuleOverride record = records.get(i);
      String field = "overrides[" + i + "]";
      Map<String, Matcher> key = key(record, field);
      OverrideEffect effect = effect(record, ofRule, field);
      overrides.add(
          Fields.read(
              field + ".conditions",
              () -> new io.quotaenforcer.core.rule.RuleOverride(key, effect)));
    }
    return Overrides.of(overrides);
  }

  private static Map<String, Matcher> key(RuleOverride record, String field) {
    Map<String, Matcher> key =
        MatchMapping.fromRecords(
            Fields.required(record.conditions(), field + ".conditions"), field + ".conditions");
    Fields.required(record.key(), field + ".key")
        .forEach(
            (attribute, value) ->
                Fields.check(
                    key.put(attribute, new Matcher.Exact(value)) == null,
                    "must be different attributes",
                    field + ".key",
                    attribute));
    Fields.check(!key.isEmpty(), "must not be empty", field + ".key", key);
    return key;
  }

  private static OverrideEffect effect(RuleOverride record, Limit ofRule, String field) {
    boolean takesNoLimit = record.exempt() || record.denied();
    Fields.check(
        !takesNoLimit || record.limit() == null,
        "must have no limit when it is exempt or denied",
        field + ".limit",
        record.limit());
    Fields.check(
        !record.exempt() || !record.denied(),
        "must not be denied when it is exempt",
        field + ".denied",
        record.denied());
    if (takesNoLimit) {
      return record.exempt() ? new OverrideEffect.Exempt() : new OverrideEffect.Denied();
    }
    return new OverrideEffect.Limited(
        record.limit() == null
            ? ofRule
            : LimitMapping.fromRecord(record.limit(), field + ".limit"));
  }
}
