package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaRulesTest {
  private static final String YAML =
      """
      domain: shop
      rules:
        - {id: orders, key: [user], limit: {permits: 2, per: 1s}}
        - {id: all, key: [], limit: {permits: 1000, per: 1s}}
      """;

  @TempDir Path folder;

  @Test
  void parse_returnsTheRulesInTheirOrder() {
    assertThat(QuotaRules.parse(YAML))
        .extracting(Rule::id)
        .map(Object::toString)
        .containsExactly("shop/orders", "shop/all");
  }

  @Test
  void read_ofAFile_isTheSame() throws IOException {
    Path file = Files.writeString(folder.resolve("rules.yaml"), YAML);
    assertThat(QuotaRules.read(file)).isEqualTo(QuotaRules.parse(YAML));
  }

  @Test
  void parse_withProblems_namesEachWithItsLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                QuotaRules.parse(
                    """
                    domain: shop
                    rules:
                      - {id: a, key: [user], limit: {permits: 2, per: fortnight}}
                      - {id: b, keys: [user], limit: {permits: 2, per: 1s}}
                    """))
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage().lines())
                    .hasSize(2)
                    .anyMatch(line -> line.startsWith("rules:3:"))
                    .anyMatch(line -> line.startsWith("rules:4:")));
  }

  @Test
  void read_ofOtherBytesThanUtf8_isRefused() throws IOException {
    Path file = folder.resolve("latin1.yaml");
    Files.write(file, "domain: caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuotaRules.read(file))
        .withMessage("must be UTF-8: file=" + file);
  }
}
