package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleVersionMappingTest {
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final RuleVersion CHANGE =
      new RuleVersion(
          ID, 3, true, Optional.of("domain: posts\n"), 5, Optional.of("ann"), Optional.of("why"));
  private static final RuleVersion DELETION =
      new RuleVersion(ID, 4, false, Optional.empty(), 6, Optional.empty(), Optional.empty());

  @Test
  void fromRecord_aVersion_isWhatWasWritten() {
    assertThat(RuleVersionMapping.fromRecord(RuleVersionMapping.toRecord(CHANGE)))
        .isEqualTo(CHANGE);
    assertThat(RuleVersionMapping.fromRecord(RuleVersionMapping.toRecord(DELETION)))
        .isEqualTo(DELETION);
  }

  @Test
  void fromRecord_versionZero_isRefusedByName() {
    assertThatThrownBy(() -> RuleVersionMapping.fromRecord(record("per-user", 0)))
        .hasMessage("must be >= 1: version=0");
  }

  @Test
  void fromRecord_noName_isRefusedByName() {
    assertThatThrownBy(() -> RuleVersionMapping.fromRecord(record("a/b", 1)))
        .hasMessageStartingWith("id: ");
  }

  private static io.quotaenforcer.schemas.RuleVersion record(String id, long version) {
    return new io.quotaenforcer.schemas.RuleVersion(
        "posts", id, version, true, null, 5L, null, null);
  }
}
