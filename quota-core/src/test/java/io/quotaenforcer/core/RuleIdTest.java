package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleIdTest {

  @Test
  void parse_domainAndId_readsWhatWasWritten() {
    RuleId id = new RuleId("posts.v2", "per_user-1");
    assertThat(RuleId.parse(id.toString())).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a", "a/", "/b", "a/b/c", "a /b", "a/ü", "a/b\n"})
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> RuleId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be ");
  }

  @Test
  void constructor_longName_isRefused() {
    String longest = "x".repeat(RuleId.MAX_CHARS);
    assertThat(new RuleId(longest, longest).id()).isEqualTo(longest);
    assertThatThrownBy(() -> new RuleId("a", longest + "x"))
        .hasMessage("must be 1 to 100 of A-Z a-z 0-9 . _ -: id=" + longest + "x");
  }

  @Test
  void compareTo_ids_ordersByDomainThenId() {
    assertThat(new RuleId("a", "z")).isLessThan(new RuleId("b", "a"));
    assertThat(new RuleId("a", "a")).isLessThan(new RuleId("a", "b"));
  }
}
