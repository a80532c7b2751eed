package io.quotaenforcer.gateway.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every configuration that Envoy's service documents, or tests itself with, is served. */
class ImportedAndServedTest {
  @TempDir Path folder;

  static List<AnswerTable.Case> accepted() {
    return AnswerTable.read("/envoy-cases/accepted.yaml");
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void configuration_isImported_andItsRequestsAreAnswered(AnswerTable.Case one) {
    GatewayLimits limits = Served.load(folder, one.files());
    Served served = new Served(limits, false, Set.of());
    String domain = one.files().get(0).replaceFirst("(?s).*?domain: (\\S+).*", "$1");

    ((Map<?, ?>) one.fields().get("requests"))
        .forEach(
            (request, limit) ->
                assertThat(served.answer(domain + " | " + request))
                    .as(request + ", of a limit " + limit)
                    .matches(
                        "none".equals(limit)
                            ? "OK \\| OK (no limit|unlimited)"
                            : "(OK|OVER_LIMIT) \\| \\S+ \\d+ of \\d+/\\w+ \\d+s( \\S+)?"));
  }
}
