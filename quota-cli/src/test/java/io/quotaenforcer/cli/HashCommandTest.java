package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.hash.HashKeyText;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that hash a value themselves, so that nobody else sees it. */
class HashCommandTest {
  private static final String EMAIL = "ann@example.com";
  private static final String KEYS =
      HashKeyText.write("old", new byte[32]) + "\n" + HashKeyText.write("new", new byte[33]);
  private static final String RULES =
      """
      domain: accounts
      rules:
        - id: per-email
          match: {email: "*@example.com"}
          key: [{attribute: email, hash: true}]
          limit: {permits: 10, per: 1d}
      """;

  @TempDir Path folder;
  private Path keys;
  private Path rules;
  private List<String> texts;

  @BeforeEach
  void write() throws IOException {
    keys = Files.writeString(folder.resolve("keys"), KEYS);
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    texts = HashKeyText.parse(KEYS).texts(EMAIL);
  }

  private QuotaRun run(String... arguments) {
    return QuotaRun.of(arguments);
  }

  @Test
  void hash_ofAValue_isThatOfEachKey() {
    QuotaRun run = run("hash", EMAIL, "--hash-keys=" + keys);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).containsExactlyElementsOf(texts);
    assertThat(run("hash", EMAIL, "--hash-keys=" + keys, "-o", "json").out()).contains(texts);
  }

  @Test
  void hash_generated_isAKey_andANewOneEachTime() {
    QuotaRun run = run("hash", "--generate", "2026-11");

    HashKeys made = HashKeyText.parse(run.out());
    assertThat(made.ids()).containsExactly("2026-11");
    assertThat(HashKeyText.parse(run("hash", "--generate", "2026-11").out())).isNotEqualTo(made);
    QuotaRun wrong = run("hash", "--generate", "a b");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("1 to 32 letters");
  }

  @Test
  void hash_withoutAKeyOrByAFileForEverybody_saysWhatToDo() throws IOException {
    QuotaRun none = run("hash", EMAIL);
    assertThat(none.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).contains("there is no key to hash by", "--hash-keys FILE");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("hash", EMAIL, "--hash-keys=" + keys).err())
        .contains("--hash-keys: ", "chmod o-rw");
  }

  @Test
  void explain_ofAValue_showsItsHash_whichCanBeAskedForInstead() {
    QuotaRun run =
        run("rules", "explain", "email=" + EMAIL, "--rules=" + rules, "--hash-keys=" + keys);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("accounts/per-email matches", "accounts/per-email/" + texts.get(0))
        .doesNotContain("ann");
    String json =
        run(
                "rules",
                "explain",
                "email=" + EMAIL,
                "--rules=" + rules,
                "--hash-keys=" + keys,
                "-o=json")
            .out();
    assertThat(json).contains(texts.get(0)).doesNotContain("ann");
  }

  @Test
  void explain_withoutAKey_saysSo_andDoesNotShowTheValue() {
    QuotaRun run = run("rules", "explain", "email=" + EMAIL, "--rules=" + rules);

    assertThat(run.out())
        .contains("not known: the rule hashes email", "--hash-keys")
        .doesNotContain("ann");
  }

  @Test
  void explain_ofARuleThatHashes_saysInPlainWords() {
    assertThat(run("rules", "explain", rules.toString()).out().replaceAll("\\s+", " "))
        .contains("email (its keyed hash)", "leave a service as keyed hashes only")
        .contains("request events and replays carry the hash only");
  }

  @Test
  void usage_ofAValue_asksByItsHashes_andNeverByTheValue() throws IOException {
    try (FakeEnforcer enforcer =
        new FakeEnforcer(
            question ->
                question.contains("?")
                    ? "{\"quotaKey\":\"%s\",\"limit\":\"10 per 1d\",\"windows\":[]}"
                        .formatted(question.substring(question.indexOf('=') + 1))
                    : "{\"error\":\"must name\",\"hashed\":[\"email\"]}")) {
      String[] ask = {
        "usage",
        "get",
        "--rule=accounts/per-email",
        "email=" + EMAIL,
        "--enforcer=" + enforcer.address()
      };
      QuotaRun without = run(ask);
      assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(without.err()).contains("accounts/per-email hashes email: give the keys");

      QuotaRun run = run(append(ask, "--hash-keys=" + keys));

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains(texts);
      assertThat(enforcer.asked())
          .containsExactly(
              "/usage/accounts/per-email",
              "/usage/accounts/per-email",
              "/usage/accounts/per-email?email=" + texts.get(0),
              "/usage/accounts/per-email?email=" + texts.get(1));
      ask[3] = "email=" + texts.get(1);
      assertThat(run(ask).out()).contains(texts.get(1));
    }
  }

  private static String[] append(String[] arguments, String last) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = last;
    return all;
  }
}
