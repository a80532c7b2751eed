package io.quotaenforcer.languages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.RegistryProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The code on the clients' pages does what they say. */
@Timeout(900)
class ReadmeIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final QuotaKey KEY = Quotas.key("posts", "per-user", "42");
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          match: {api: "POST /posts"}
          limit: {permits: 100, per: 1d, algorithm: fixed-window}
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void examples_run(Language language) throws Exception {
    language.prepare();
    List<String> examples = examples(language);
    assertThat(examples).hasSize(3);

    try (Quotas quotas = Quotas.start(folder, RULES);
        StubGateway gateway = StubGateway.start()) {
      RegistryProcess registry = quotas.startRegistry();
      EnforcerJvm enforcer = quotas.startEnforcer("schema.registry.url=" + registry.url());
      Program events = run(language, examples.get(0), "127.0.0.1:9092", quotas.bootstrapServers());
      Program registered =
          run(
              language,
              examples.get(1).replace("http://127.0.0.1:8081", registry.url()),
              "127.0.0.1:9092",
              quotas.bootstrapServers());
      Program admitted = run(language, examples.get(2), "http://127.0.0.1:8090", gateway.address());
      // An answer that is late, as on a busy machine, admits: then the program asks again.
      Program refused =
          await()
              .atMost(TIMEOUT)
              .until(
                  () -> run(language, examples.get(2), "http://127.0.0.1:8090", gateway.address()),
                  program -> !program.output().equals("go on\n"));

      assertThat(events.output()).isEmpty();
      assertThat(registered.output()).isEmpty();
      await()
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(enforcer.used(KEY, "user")).isEqualTo(2));
      assertThat(Quotas.metric(enforcer, "quota_request_events", "counted")).isEqualTo(3);
      assertThat(admitted.output()).isEqualTo("go on\n");
      assertThat(refused.output()).contains("answer with 429", "retry-after", "7");
      assertThat(gateway.asked())
          .allSatisfy(
              asked -> assertThat(asked).startsWith("Bearer secret {").contains("POST /posts"));
    }
  }

  private static Program run(Language language, String text, String shown, String own)
      throws Exception {
    assertThat(text).contains(shown);
    Program program = language.runText(text.replace(shown, own));
    assertThat(program.exitCode()).as(program.output()).isZero();
    return program;
  }

  private static List<String> examples(Language language) throws IOException {
    String page = Files.readString(language.folder().resolve("README.md"));
    return Pattern.compile("(?s)```" + language.markdown() + "\\n(.*?)```")
        .matcher(page)
        .results()
        .map(example -> example.group(1))
        .toList();
  }
}
