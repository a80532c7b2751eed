package io.quotaenforcer.bench.accuracy;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.function.Function;

/** The ways of deciding that are compared. */
enum PolicyKind {
  ALLOTMENT_STRICT("allotment-strict", fleet -> new AllotmentPolicy(fleet, Enforcement.STRICT)),
  ALLOTMENT_BALANCED(
      "allotment-balanced", fleet -> new AllotmentPolicy(fleet, Enforcement.BALANCED)),
  DELAYED_COUNT("delayed-count", DelayedCount::new),
  STATIC_SPLIT("static-split", StaticSplit::new),
  RANDOM_DROP("random-drop", RandomDrop::new),
  DEMAND_SHARE("demand-share", DemandShare::new),
  GOSSIP("gossip", Gossip::new);

  private final String label;
  private final Function<Fleet, Policy> create;

  PolicyKind(String label, Function<Fleet, Policy> create) {
    this.label = label;
    this.create = create;
  }

  @JsonValue
  String label() {
    return label;
  }

  boolean isAllotment() {
    return this == ALLOTMENT_STRICT || this == ALLOTMENT_BALANCED;
  }

  Policy create(Fleet fleet) {
    return create.apply(fleet);
  }
}
