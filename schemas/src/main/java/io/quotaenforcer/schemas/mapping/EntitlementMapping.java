package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.schemas.EntitlementTerms;
import io.quotaenforcer.schemas.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits by data, and what rules say of them, to and from the wire. */
public final class EntitlementMapping {
  private EntitlementMapping() {}

  public static io.quotaenforcer.schemas.Entitlement toRecord(Entitlement entitlement) {
    if (entitlement instanceof Entitlement.Permits number) {
      return new io.quotaenforcer.schemas.Entitlement(number.permits(), null, false);
    }
    return entitlement instanceof Entitlement.Plan plan
        ? new io.quotaenforcer.schemas.Entitlement(null, plan.name(), false)
        : new io.quotaenforcer.schemas.Entitlement(null, null, true);
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static Entitlement fromRecord(io.quotaenforcer.schemas.Entitlement record) {
    Long permits = record.permits();
    String plan = record.plan();
    boolean exempt = record.exempt();
    int given = (permits == null ? 0 : 1) + (plan == null ? 0 : 1) + (exempt ? 1 : 0);
    Fields.check(given == 1, "must be exactly one of permits, plan and exempt", "given", given);
    if (permits != null) {
      return Fields.read("permits", () -> new Entitlement.Permits(permits));
    }
    return plan == null
        ? new Entitlement.Exempt()
        : Fields.read("plan", () -> new Entitlement.Plan(plan));
  }

  static @Nullable EntitlementTerms toRecord(Optional<Entitlements> entitlements) {
    return entitlements
        .map(
            it ->
                new EntitlementTerms(
                    it.plans().entrySet().stream()
                        .map(plan -> new Plan(plan.getKey(), plan.getValue()))
                        .toList()))
        .orElse(null);
  }

  static Optional<Entitlements> fromRecord(@Nullable EntitlementTerms record) {
    if (record == null) {
      return Optional.empty();
    }
    List<Plan> plans = Fields.required(record.plans(), "entitlements.plans");
    Map<String, Long> permits = new HashMap<>();
    for (Plan plan : plans) {
      String name = Fields.required(plan.name(), "entitlements.plans.name");
      Fields.check(
          permits.put(name, plan.permits()) == null,
          "must be named once",
          "entitlements.plans.name",
          name);
    }
    return Optional.of(Fields.read("entitlements", () -> new Entitlements(permits)));
  }
}
