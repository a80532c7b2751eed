package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new algorithm takes the files that the walkthrough names, and no more: the project is changed
 * by them alone, and a rule with the algorithm goes all the way.
 */
class ToyAlgorithmTest {
  private static final int MOST = 8;
  private static final long PERMITS = 10;

  private static final String RULE =
      """
      domain: shop
      rules:
        - id: posts
          key: [user]
          limit: {permits: 10, per: 1s, algorithm: metronome}
          enforcement: strict
      """;

  @TempDir Path folder;

  @Test
  void algorithm_addedAsTheWalkthroughSays_goesThroughFileRecordRowLedgerAndAllotment()
      throws Exception {
    ClassLoader changed =
        new ChangedProject("toy-algorithm")
            .classes(text -> text.matches("(?s).*\\b[aA]lgorithm\\b.*"), folder);

    String said = way(changed).apply(RULE);

    assertThat(said)
        .contains("limit: Metronome[permits=10, periodNanos=1000000000]")
        .contains("10 permits per 1s, one a beat (metronome)")
        .contains("bad network: 0\n");
    // A period's beats were saved at first, and ten periods passed.
    assertThat(number("ledger is a row: (\\d+)", said)).isBetween(10 * PERMITS - 5, 11 * PERMITS);
  }

  @Test
  void walkthrough_namesTheFilesOfTheChangeInItsOrder() throws Exception {
    List<String> named = Walkthrough.files("A new algorithm, step by step");

    assertThat(named).hasSizeLessThanOrEqualTo(MOST);
    assertThat(named.get(0)).endsWith("toy-algorithm/Metronome.java");
    List<String> files = new ChangedProject("toy-algorithm").files();
    assertThat(named.subList(1, named.size())).isEqualTo(files.subList(1, files.size()));
  }

  @SuppressWarnings("unchecked")
  static Function<String, String> way(ClassLoader classes) throws ReflectiveOperationException {
    Class<?> type = classes.loadClass(RuleOnItsWay.class.getName());
    assertThat(type).isNotSameAs(RuleOnItsWay.class);
    return (Function<String, String>) type.getDeclaredConstructor().newInstance();
  }

  private static long number(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }
}
