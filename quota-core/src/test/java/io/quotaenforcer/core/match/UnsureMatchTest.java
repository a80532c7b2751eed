package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Items of which a condition was given up: the value is too long for an expression. */
class UnsureMatchTest {
  private static final String AWKWARD = "x".repeat(Matcher.Regex.MAX_VALUE_CHARS + 1);
  private static final Condition EXPRESSION =
      new Condition("path", new Matcher.Regex(Pattern.compile("x*")));

  private final List<String> sure = new ArrayList<>();
  private final List<String> unsure = new ArrayList<>();

  private final MatchIndex.Found<String> found =
      new MatchIndex.Found<>() {
        @Override
        public void found(String item) {
          sure.add(item);
        }

        @Override
        public void foundUnsure(String item, String attribute) {
          unsure.add(item + " by " + attribute);
        }
      };

  @Test
  void find_valueThatIsGivenUp_isFoundUnsure_byTheAttribute() {
    find(Map.of("path", AWKWARD), entry("a", EXPRESSION));

    assertThat(sure).isEmpty();
    assertThat(unsure).containsExactly("a by path");
  }

  @Test
  void find_valueThatIsTried_isFoundForSure() {
    find(Map.of("path", "xx"), entry("a", EXPRESSION));

    assertThat(sure).containsExactly("a");
    assertThat(unsure).isEmpty();
  }

  @Test
  void find_anotherConditionIsNotMet_isNotFound_whicheverComesFirst() {
    Condition other = new Condition("user", new Matcher.Exact("ann"));

    find(
        Map.of("path", AWKWARD, "user", "bob"),
        entry("a", EXPRESSION, other),
        entry("b", other, EXPRESSION));

    assertThat(sure).isEmpty();
    assertThat(unsure).isEmpty();
  }

  @Test
  void find_anotherConditionIsMet_staysUnsure() {
    Condition other = new Condition("user", new Matcher.Absent());

    find(Map.of("path", AWKWARD), entry("a", EXPRESSION, other), entry("b", other, EXPRESSION));

    assertThat(unsure).containsExactlyInAnyOrder("a by path", "b by path");
  }

  @Test
  void find_amongManyItems_eachIsFoundOnce_sureOrNot() {
    List<MatchIndex.Entry<String>> entries = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      entries.add(entry("sure" + i, new Condition("path", new Matcher.Prefix("x".repeat(i)))));
      entries.add(
          entry(
              "unsure" + i,
              new Condition("path", new Matcher.Regex(Pattern.compile("x".repeat(i + 1) + ".*")))));
    }
    MatchIndex.of(entries).find(new OneValue("path", AWKWARD), found);

    assertThat(sure).hasSize(50).doesNotHaveDuplicates();
    assertThat(unsure).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void find_whoDoesNotAskWhetherItIsSure_isToldAsOfTheOthers() {
    List<String> all = new ArrayList<>();
    MatchIndex.of(List.of(entry("a", EXPRESSION))).find(new OneValue("path", AWKWARD), all::add);

    assertThat(all).containsExactly("a");
  }

  @Test
  void entry_conditionsThatChangeAfterwards_keepsThemAsTheyWere() {
    List<Condition> conditions = new ArrayList<>(List.of(EXPRESSION));
    MatchIndex.Entry<String> entry = new MatchIndex.Entry<>("a", conditions);
    conditions.clear();

    assertThat(entry.conditions()).containsExactly(EXPRESSION);
  }

  @SafeVarargs
  private void find(Map<String, String> values, MatchIndex.Entry<String>... entries) {
    MatchIndex.of(List.of(entries)).find(new Values(values), found);
  }

  private static MatchIndex.Entry<String> entry(String item, Condition... conditions) {
    return new MatchIndex.Entry<>(item, List.of(conditions));
  }

  private record Values(Map<String, String> byName) implements AttributeValues {
    @Override
    public @Nullable String get(String attribute) {
      return byName.get(attribute);
    }

    @Override
    public int count() {
      return byName.size();
    }

    @Override
    public Collection<String> names() {
      return byName.keySet();
    }
  }

  private record OneValue(String name, String value) implements AttributeValues {
    @Override
    public @Nullable String get(String attribute) {
      return attribute.equals(name) ? value : null;
    }

    @Override
    public int count() {
      return 1;
    }

    @Override
    public Collection<String> names() {
      return List.of(name);
    }
  }
}
