package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnchorTest {

  static List<Arguments> anchors() {
    return List.of(
        Arguments.of(new Matcher.Exact("x"), new Anchor.Value("a", "x"), true),
        Arguments.of(new Matcher.Exact(""), new Anchor.Value("a", ""), true),
        Arguments.of(new Matcher.Prefix("x"), new Anchor.Head("a", "x"), true),
        Arguments.of(new Matcher.Prefix(""), new Anchor.Presence("a"), true),
        Arguments.of(new Matcher.Any(), new Anchor.Presence("a"), true),
        Arguments.of(Matcher.ofText("x*y"), new Anchor.Head("a", "x"), false),
        Arguments.of(Matcher.ofText("*y"), new Anchor.Presence("a"), false),
        Arguments.of(regex("/users/[0-9]+"), new Anchor.Head("a", "/users/"), false),
        Arguments.of(regex("a|b"), new Anchor.Presence("a"), false),
        Arguments.of(
            new Matcher.Cidr(CidrBlock.parse("10.9.0.0/8")),
            new Anchor.Block("a", IpNetwork.ofValue("10.0.0.0/8")),
            true));
  }

  @ParameterizedTest
  @MethodSource("anchors")
  void of_condition_isWhatCanBeLookedUp(Matcher matcher, Anchor anchor, boolean says) {
    Condition condition = new Condition("a", matcher);

    assertThat(Anchor.of(condition)).isEqualTo(anchor);
    assertThat(Anchor.says(condition)).as("it says all of the condition").isEqualTo(says);
  }

  @Test
  void of_absence_canOnlyBeTried() {
    assertThat(Anchor.of(new Condition("a", new Matcher.Absent()))).isNull();
  }

  @Test
  void of_blocksOfTheSameNetwork_isOneAnchor() {
    Condition one = new Condition("ip", new Matcher.Cidr(CidrBlock.parse("10.1.2.3/8")));
    Condition other = new Condition("ip", new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8")));
    Condition mapped =
        new Condition("ip", new Matcher.Cidr(CidrBlock.parse("::ffff:10.0.0.0/104")));

    assertThat(Anchor.of(one)).isEqualTo(Anchor.of(other)).isEqualTo(Anchor.of(mapped));
  }

  /** Whoever looks an anchor up finds every value that meets the condition. */
  @Test
  void of_anyConditionThatAValueMeets_holdsOfTheValue() {
    Seeded.check(
        20_000,
        random -> {
          Condition condition = new Condition("a", matcher(random));
          String value = text(random);
          Anchor anchor = Anchor.of(condition);
          boolean met = condition.matcher().matches(value);
          if (met || (anchor != null && Anchor.says(condition))) {
            assertThat(holds(anchor, value))
                .as("%s of %s for %s", anchor, condition, value)
                .isEqualTo(met);
          }
        });
  }

  private static boolean holds(Anchor anchor, String value) {
    if (anchor instanceof Anchor.Value exact) {
      return exact.value().equals(value);
    }
    return anchor instanceof Anchor.Head head
        ? value.startsWith(head.prefix())
        : anchor instanceof Anchor.Presence;
  }

  private static Matcher matcher(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> new Matcher.Exact(text(random));
      case 1 -> new Matcher.Prefix(text(random));
      case 2 -> Matcher.ofText(text(random) + "*" + "x");
      case 3 -> regex(text(random) + Seeded.oneOf(random, "*", "+", "?", "[xy]*", "|x", ""));
      default -> new Matcher.Any();
    };
  }

  private static Matcher regex(String expression) {
    // An expression cannot begin with a repetition.
    return new Matcher.Regex(Pattern.compile(expression.replaceFirst("^[*+?]", "x")));
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append("xy".charAt(random.nextInt(2)));
    }
    return text.toString();
  }
}
