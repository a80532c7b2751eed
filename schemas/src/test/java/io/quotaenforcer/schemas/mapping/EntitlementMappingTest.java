package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.schemas.EntitlementTerms;
import io.quotaenforcer.schemas.Plan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EntitlementMappingTest {

  @Test
  void entitlement_ofEachKind_comesBack() {
    for (Entitlement each :
        List.of(
            new Entitlement.Permits(0),
            new Entitlement.Permits(1_000_000_000_000L),
            new Entitlement.Plan("gold"),
            new Entitlement.Exempt())) {
      assertThat(EntitlementMapping.fromRecord(EntitlementMapping.toRecord(each))).isEqualTo(each);
    }
  }

  @Test
  void termsOfARule_comeBack() {
    for (Optional<Entitlements> each :
        List.of(
            Optional.<Entitlements>empty(),
            Optional.of(Entitlements.NO_PLANS),
            Optional.of(new Entitlements(Map.of("gold", 1_000L, "free", 0L))))) {
      assertThat(EntitlementMapping.fromRecord(EntitlementMapping.toRecord(each))).isEqualTo(each);
    }
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("exactly one of permits, plan and exempt: given=0", entitlement(null, null)),
        Arguments.of("exactly one of permits, plan and exempt: given=2", entitlement(1L, "gold")),
        Arguments.of("permits: must be between 0 and", entitlement(-1L, null)),
        Arguments.of("plan: must be 1 to 100 of", entitlement(null, "a b")));
  }

  private static io.quotaenforcer.schemas.Entitlement entitlement(Long permits, String plan) {
    return new io.quotaenforcer.schemas.Entitlement(permits, plan, false);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void entitlementThatCannotBeRight_isRefusedByField(
      String message, io.quotaenforcer.schemas.Entitlement record) {
    assertThatThrownBy(() -> EntitlementMapping.fromRecord(record))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void planNamedTwice_isRefused() {
    EntitlementTerms terms = new EntitlementTerms(List.of(new Plan("a", 1), new Plan("a", 2)));
    assertThatThrownBy(() -> EntitlementMapping.fromRecord(terms))
        .hasMessageContaining("must be named once: entitlements.plans.name=a");
  }
}
