package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MatchIndexTest {
  private static final String[] ATTRIBUTES = {"a", "b", "c", "ip"};

  @Test
  void find_anyItemsAndValues_areThoseAScanFinds() {
    Seeded.check(
        3_000,
        random -> {
          List<MatchIndex.Entry<Integer>> entries = new ArrayList<>();
          for (int item = random.nextInt(120); item > 0; item--) {
            entries.add(new MatchIndex.Entry<>(item, conditions(random)));
          }
          MatchIndex<Integer> index = MatchIndex.of(entries);
          for (int i = 0; i < 20; i++) {
            Values values = values(random);
            List<Integer> found = new ArrayList<>();
            index.find(values, found::add);
            assertThat(found)
                .as("%s of %s", values.byName, entries)
                .containsExactlyInAnyOrderElementsOf(scan(entries, values));
          }
        });
  }

  @Test
  void find_manyPrefixesOfPrefixes_findsAllOfThem() {
    List<MatchIndex.Entry<Integer>> entries = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      entries.add(entry(i, "a", new Matcher.Prefix("x".repeat(i))));
    }
    List<Integer> found = new ArrayList<>();
    MatchIndex.of(entries).find(new Values(Map.of("a", "xxxy")), found::add);
    assertThat(found).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void find_itemsAlikeInVeryManyConditions_areAllFound() {
    List<Condition> conditions = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      conditions.add(new Condition("a" + i, new Matcher.Exact("x")));
      values.put("a" + i, "x");
    }
    List<MatchIndex.Entry<Integer>> entries = new ArrayList<>();
    for (int item = 0; item < 10; item++) {
      entries.add(new MatchIndex.Entry<>(item, conditions));
    }
    List<Integer> found = new ArrayList<>();
    MatchIndex.of(entries).find(new Values(values), found::add);
    assertThat(found).hasSize(10);
  }

  @Test
  void find_blocksOfBothFamilies_findsThoseAroundTheAddress() {
    List<MatchIndex.Entry<String>> entries = new ArrayList<>();
    for (String block :
        List.of("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16", "10.1.2.3/32", "::/0")) {
      entries.add(entry(block, "ip", new Matcher.Cidr(CidrBlock.parse(block))));
    }
    for (String block : List.of("2001:db8::/32", "2001:db8::/64", "2001:db9::/32")) {
      entries.add(entry(block, "ip", new Matcher.Cidr(CidrBlock.parse(block))));
    }
    MatchIndex<String> index = MatchIndex.of(entries);
    assertThat(found(index, "::ffff:10.1.2.3"))
        .containsExactlyInAnyOrder("0.0.0.0/0", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/32");
    assertThat(found(index, "2001:db8::1"))
        .containsExactlyInAnyOrder("::/0", "2001:db8::/32", "2001:db8::/64");
    assertThat(found(index, "nobody")).isEmpty();
  }

  private static List<String> found(MatchIndex<String> index, String address) {
    List<String> found = new ArrayList<>();
    index.find(new Values(Map.of("ip", address)), found::add);
    return found;
  }

  private static <T> MatchIndex.Entry<T> entry(T item, String attribute, Matcher matcher) {
    return new MatchIndex.Entry<>(item, List.of(new Condition(attribute, matcher)));
  }

  private static List<Integer> scan(List<MatchIndex.Entry<Integer>> entries, Values values) {
    return entries.stream()
        .filter(
            entry ->
                entry.conditions().stream()
                    .allMatch(each -> each.matcher().matches(values.get(each.attribute()))))
        .map(MatchIndex.Entry::item)
        .toList();
  }

  private static List<Condition> conditions(SplittableRandom random) {
    List<Condition> conditions = new ArrayList<>();
    for (String attribute : ATTRIBUTES) {
      if (random.nextInt(3) == 0) {
        conditions.add(
            new Condition(attribute, attribute.equals("ip") ? onAddress(random) : onText(random)));
      }
    }
    return conditions;
  }

  private static Matcher onText(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Matcher.Exact(text(random, 2));
      case 2, 3 -> new Matcher.Prefix(text(random, 3));
      case 4 -> new Matcher.Any();
      case 5 -> new Matcher.Absent();
      case 6 -> new Matcher.Regex(Pattern.compile(text(random, 2) + ".*"));
      default -> new Matcher.Wildcard(Glob.parse(text(random, 2) + "*y"));
    };
  }

  private static Matcher onAddress(SplittableRandom random) {
    boolean ipv4 = random.nextBoolean();
    int length = random.nextInt(ipv4 ? 33 : 129);
    return new Matcher.Cidr(CidrBlock.parse((ipv4 ? ipv4(random) : ipv6(random)) + "/" + length));
  }

  private static Values values(SplittableRandom random) {
    Map<String, String> values = new HashMap<>();
    for (String attribute : ATTRIBUTES) {
      if (random.nextInt(4) > 0) {
        values.put(attribute, attribute.equals("ip") ? address(random) : text(random, 4));
      }
    }
    return new Values(values);
  }

  private static String address(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> text(random, 2);
      case 1 -> "::ffff:" + ipv4(random);
      case 2 -> new AddressCut(1 + random.nextInt(32), 1 + random.nextInt(128)).of(ipv4(random));
      case 3 -> ipv6(random);
      default -> ipv4(random);
    };
  }

  private static String ipv4(SplittableRandom random) {
    return "10." + random.nextInt(2) + "." + 128 * random.nextInt(2) + "." + random.nextInt(3);
  }

  private static String ipv6(SplittableRandom random) {
    return "2001:db8:0:" + random.nextInt(3) + "::" + random.nextInt(3);
  }

  private static String text(SplittableRandom random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append("xy".charAt(random.nextInt(2)));
    }
    return text.toString();
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
}
