package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.enforcer.rules.MemoryRuleStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RulesCommandTest {
  private static final PrefixInfo PREFIX = new PrefixInfo(8, 1, 20);
  private static final String POSTS =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 2, per: 1s}
      """;

  @TempDir Path directory;

  private final MemoryRuleStore store = new MemoryRuleStore();
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();
  private boolean json;

  @Test
  void validate_goodAndBrokenFile_failsAndSaysWhere() throws IOException {
    Path good = file("good.yaml", POSTS);
    Path broken = file("broken.yaml", POSTS.replace("key: [user]", "kee: [user]"));
    assertThat(run("validate", good.toString())).isZero();
    assertThat(out).hasToString(good + ": ok, domain posts, 1 rule\n");
    assertThat(run("validate", good.toString(), broken.toString())).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(broken + ":4:5: unknown key \"kee\"; did you mean \"key\"?");
  }

  @Test
  void validate_filesThatCannotBeRead_saysWhy() throws IOException {
    Path latin = directory.resolve("latin.yaml");
    Files.write(latin, "domain: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
    Path missing = directory.resolve("missing.yaml");
    assertThat(run("validate", missing.toString(), directory.toString(), latin.toString()))
        .isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            missing + ":1:1: there is no such file",
            directory + ":1:1: is a directory; name a file",
            latin + ":1:1: the file is not UTF-8; save it as UTF-8");
  }

  @Test
  void explain_file_saysWhatTheRuleDoesAndItsBounds() throws IOException {
    assertThat(run("explain", file("rules.yaml", POSTS).toString())).isZero();
    assertThat(out.toString().lines())
        .contains(
            "posts/per-user: 2 per 1s by user, sliding-window, balanced (at most 100 instances)",
            "  matches        every request that has user",
            "  counts by      user: each value has a limit of its own",
            "  limit          2 permits in any 1s (sliding window)")
        .anyMatch(line -> line.startsWith("  bound          at most 200 permits over the limit"))
        .anyMatch(line -> line.startsWith("  bound then     at most 300 permits over the limit"))
        .anyMatch(line -> line.startsWith("  warning        the limit is below the number"))
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void explain_publishedRule_asksForItsInstances_optionGoesFirst() throws IOException {
    run("apply", file("rules.yaml", POSTS.replace("permits: 2", "permits: 2000")).toString());
    json = true;
    assertThat(run("explain", "posts/per-user")).isZero();
    JsonNode published = new ObjectMapper().readTree(out.toString()).get(0);
    assertThat(published.get("maxInstances").asInt()).isEqualTo(20);
    assertThat(published.get("bound").asLong()).isEqualTo(40_000);
    assertThat(published.get("boundAway").asLong()).isEqualTo(42_000);
    assertThat(published.get("expectedOver").asLong()).isEqualTo(100);
    assertThat(published.get("warnings")).isEmpty();
    run("explain", "--max-instances", "4", "posts/per-user");
    JsonNode few = new ObjectMapper().readTree(out.toString()).get(0);
    assertThat(few.get("maxInstances").asInt()).isEqualTo(4);
  }

  @Test
  void explain_neitherFileNorRule_saysSo() {
    assertThat(run("explain", directory.resolve("missing.yaml").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("missing.yaml:1:1: there is no such file");
    assertThat(run("explain", "posts/nobody")).isEqualTo(1);
    assertThat(err.toString()).contains("no rule posts/nobody is published");
    assertThat(run("explain", "nobody")).isEqualTo(2);
    assertThat(err.toString()).contains("nobody");
  }

  @Test
  void explainRequest_publishedRules_saysWhichMatchAndWhy() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    run(
        "apply",
        file("reads.yaml", POSTS.replace("posts", "reads").replace("user", "key")).toString());
    assertThat(run("explain", "user=42", "--domain", "nothing")).isZero();
    assertThat(out).hasToString("there are no rules: it is admitted and not counted\n");
    assertThat(run("explain", "user=42", "api=a=b")).isZero();
    assertThat(out.toString().lines())
        .startsWith(
            "posts/per-user matches",
            "  because        user is there; the request has \"42\"",
            "  quota key      posts/per-user/42")
        .endsWith(
            "",
            "note: no rule uses the attribute api",
            "1 of 2 rules matches: it is admitted while there are permits")
        .anyMatch(line -> line.matches("  partition      [0-7] of 0 to 7"));
    assertThat(run("explain", "user=42", "--all")).isZero();
    assertThat(out.toString())
        .contains(
            "reads/per-key does not match\n  fails          key is there; the request has none");
    assertThat(run("explain", "user=42", "--domain", "reads")).isZero();
    assertThat(out)
        .hasToString(
            "note: no rule uses the attribute user\n"
                + "0 of 1 rule match, none limits it: it is admitted and not counted; --all says"
                + " why\n");
  }

  @Test
  void explainRequest_deniedKey_saysThatItIsThrottled() throws IOException {
    String denying = POSTS + "    overrides: [{key: {user: bot}, deny: true}]\n";
    String path = file("rules.yaml", denying).toString();
    assertThat(run("explain", "user=bot", "--rules", path)).isZero();
    assertThat(out.toString().lines())
        .contains(
            "posts/per-user matches, and denies the request",
            "  override       {user: bot}: denied, every request is throttled",
            "1 of 1 rule matches: it is throttled, whatever is left");
    json = true;
    assertThat(run("explain", "user=bot", "--rules", path)).isZero();
    JsonNode verdict = new ObjectMapper().readTree(out.toString()).at("/rules/0");
    assertThat(verdict.get("outcome").asText()).isEqualTo("denied");
    assertThat(verdict.get("quotaKey").asText()).isEqualTo("posts/per-user/bot");
  }

  @Test
  void explainRequest_rulesOfAFile_needsNoBroker() throws IOException {
    json = true;
    String path = file("rules.yaml", POSTS).toString();
    assertThat(run("explain", "user=42", "--rules", path, "--partitions", "3")).isZero();
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    assertThat(answer.at("/attributes/user").asText()).isEqualTo("42");
    assertThat(answer.at("/partitions").asInt()).isEqualTo(3);
    assertThat(answer.at("/rules/0/outcome").asText()).isEqualTo("counted");
    assertThat(answer.at("/rules/0/conditions/0/holds").asBoolean()).isTrue();
    assertThat(answer.at("/rules/0/quotaKey").asText()).isEqualTo("posts/per-user/42");
    assertThat(answer.at("/rules/0/partition").asInt()).isBetween(0, 2);
    assertThat(answer.at("/rules/0/permits").asLong()).isEqualTo(2);
    assertThat(answer.at("/rules/0/bound").asLong()).isEqualTo(200);
    assertThat(answer.at("/rules/0/override").isNull()).isTrue();
  }

  @Test
  void explainRequest_wrongUse_saysWhatWouldBeRight() throws IOException {
    Path rules = file("rules.yaml", POSTS);
    assertThat(run("explain", "user=42", rules.toString())).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("must be attributes (user=42), or rules and rule files, not both: " + rules);
    assertThat(run("explain", "user=42", "user=43")).isEqualTo(2);
    assertThat(err.toString()).startsWith("must be given once: attribute user");
    assertThat(run("explain", "--all", rules.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith("--rules, --domain, --all and --partitions are for");
    assertThat(run("explain", "user=1", "--rules", rules.toString(), "--partitions", "0"))
        .isEqualTo(2);
    assertThat(err.toString()).startsWith("must be from 1 to 10000: --partitions=0");
    Path broken = file("broken.yaml", POSTS + "  - id: x\n");
    assertThat(run("explain", "user=42", "--rules", broken.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("broken.yaml:6:5: missing \"limit\"");
  }

  @Test
  void apply_newFile_showsAndPublishesIt() throws IOException {
    assertThat(run("apply", file("rules.yaml", POSTS).toString())).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "+ posts/per-user: 2 per 1s by user, sliding-window, balanced",
            "1 added, 0 changed, 0 deleted, 0 unchanged");
    assertThat(store.read().rules()).hasSize(1);
  }

  @Test
  void apply_dryRun_publishesNothing() throws IOException {
    assertThat(run("apply", "--dry-run", file("rules.yaml", POSTS).toString())).isZero();
    assertThat(out.toString()).endsWith("dry run: nothing was published\n");
    assertThat(store.read().rules()).isEmpty();
  }

  @Test
  void apply_brokenFile_publishesNothing() throws IOException {
    assertThat(run("apply", file("rules.yaml", POSTS + "  - id: x\n").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("rules.yaml:6:5: missing \"limit\"");
    assertThat(store.read().rules()).isEmpty();
  }

  @Test
  void apply_prune_deletesWhatTheFileLacks() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    Path empty = file("empty.yaml", "domain: posts\nrules: []\n");
    assertThat(run("apply", empty.toString())).isZero();
    assertThat(store.read().rules()).hasSize(1);
    assertThat(run("apply", "--prune", empty.toString())).isZero();
    assertThat(store.read().rules()).isEmpty();
  }

  @Test
  void apply_json_tellsEveryChange() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    json = true;
    run("apply", file("rules.yaml", POSTS.replace("permits: 2", "permits: 5")).toString());
    JsonNode answer = new ObjectMapper().readTree(out.toString());
    assertThat(answer.at("/published").asBoolean()).isTrue();
    assertThat(answer.at("/changes/0/change").asText()).isEqualTo("changed");
    assertThat(answer.at("/changes/0/version").asLong()).isEqualTo(2);
    assertThat(answer.at("/changes/0/fields/0/field").asText()).isEqualTo("limit");
  }

  @Test
  void list_rules_isATableOfThem() throws IOException {
    run("apply", file("posts.yaml", POSTS).toString());
    run("apply", file("reads.yaml", POSTS.replace("domain: posts", "domain: reads")).toString());
    store.writeUnreadable("posts/odd");
    assertThat(run("list", "--domain", "posts")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "RULE            VERSION  LIMIT",
            "posts/per-user        1  2 per 1s by user, sliding-window, balanced");
    assertThat(err).hasToString("warning: posts/odd cannot be read: must be a rule\n");
    run("list");
    assertThat(out.toString().lines()).hasSize(3);
  }

  @Test
  void get_rule_isARuleFileThatAppliesWithoutChange() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    assertThat(run("get", "posts/per-user")).isZero();
    Path written = file("written.yaml", out.toString());
    assertThat(out.toString()).startsWith("# version 1, counted since version 1\ndomain: posts\n");
    run("apply", written.toString());
    assertThat(out).hasToString("0 added, 0 changed, 0 deleted, 1 unchanged\n");
  }

  @Test
  void get_unknownRule_failsWithASuggestion() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    assertThat(run("get", "posts/per-usr")).isEqualTo(1);
    assertThat(err)
        .hasToString("error: no rule posts/per-usr is published; did you mean posts/per-user?\n");
  }

  @Test
  void delete_rule_isGone() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString());
    assertThat(run("delete", "posts/per-user")).isZero();
    assertThat(out).hasToString("- posts/per-user: deleted\n");
    assertThat(store.read().rules()).isEmpty();
  }

  @Test
  void history_ofARule_isATableOfItsVersions() throws IOException {
    history();
    assertThat(run("history", "posts/per-user")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "RULE            VERSION  WHEN                  AUTHOR  MESSAGE     CHANGE",
            "posts/per-user        3  1970-01-01T00:00:03Z  cleo    not needed  deleted",
            "posts/per-user        2  1970-01-01T00:00:02Z  bob                 limit: {permits: 2,"
                + " per: 1s, algorithm: sliding-window} -> {permits: 5, per: 1s, algorithm:"
                + " sliding-window}",
            "posts/per-user        1  1970-01-01T00:00:01Z  ann                 added: 2 per 1s by"
                + " user, sliding-window, balanced");
    run("history", "--limit", "1");
    assertThat(out.toString().lines()).hasSize(2);
    assertThat(err).hasToString("2 older versions are not shown; --limit shows more\n");
  }

  @Test
  void history_json_hasTheWholeRules() throws IOException {
    history();
    json = true;
    run("history", "posts");
    JsonNode versions = new ObjectMapper().readTree(out.toString());
    assertThat(versions).hasSize(3);
    assertThat(versions.at("/0/change").asText()).isEqualTo("deleted");
    assertThat(versions.at("/0/yaml").isNull()).isTrue();
    assertThat(versions.at("/0/message").asText()).isEqualTo("not needed");
    assertThat(versions.at("/1/fields/0/field").asText()).isEqualTo("limit");
    assertThat(versions.at("/2/at").asText()).isEqualTo("1970-01-01T00:00:01Z");
    assertThat(versions.at("/2/author").asText()).isEqualTo("ann");
    Path yaml = file("old.yaml", versions.at("/2/yaml").asText());
    assertThat(run("validate", yaml.toString())).isZero();
  }

  @Test
  void history_ofWhatNeverWas_suggestsTheNearest() throws IOException {
    assertThat(run("history")).isZero();
    history();
    assertThat(run("history", "posts/per-usr")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "error: no version of a rule posts/per-usr is known; did you mean posts/per-user?\n");
    assertThat(run("history", "post")).isEqualTo(1);
    assertThat(err).hasToString("error: no rule of a domain post is known; did you mean posts?\n");
  }

  @Test
  void rollback_ofADeletion_showsAndPublishesTheRule() throws IOException {
    history();
    assertThat(run("rollback", "posts/per-user", "--to", "2", "--dry-run")).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "back to version 2",
            "+ posts/per-user: 5 per 1s by user, sliding-window, balanced",
            "1 added, 0 changed, 0 deleted, 0 unchanged",
            "dry run: nothing was published");
    assertThat(store.read().rules()).isEmpty();
    assertThat(run("rollback", "posts/per-user", "--to", "2", "--message", "needed")).isZero();
    assertThat(store.read().rules()).hasSize(1);
    run("history");
    assertThat(out.toString()).contains("back to version 2: needed");
  }

  @Test
  void rollback_ofADomain_goesBackInTime() throws IOException {
    history();
    assertThat(run("rollback", "posts", "--to", "1970-01-01T01:00:01.5+01:00")).isZero();
    assertThat(out.toString())
        .startsWith("back to 1970-01-01T00:00:01.500Z\n+ posts/per-user: 2 per 1s");
    assertThat(run("rollback", "posts", "--to", "1970-01-01T00:00:00Z")).isZero();
    assertThat(out.toString())
        .startsWith("back to 1970-01-01T00:00:00Z\n- posts/per-user: 2 per 1s");
  }

  @Test
  void rollback_wrongUse_saysWhatWouldBeRight() {
    assertThat(run("rollback", "posts/a")).isEqualTo(2);
    assertThat(err.toString()).contains("--to");
    assertThat(run("rollback", "posts/a", "--to", "2h")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("must be a version of the rule, as quota rules history posts/a shows: --to=2h");
    assertThat(run("rollback", "posts", "--to", "2")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("must be a time such as 2026-01-31T12:00:00Z, or a duration such as 2h");
    assertThat(run("rollback", "posts", "--to", "2999-01-31T12:00:00Z")).isEqualTo(2);
    assertThat(err.toString()).startsWith("must be in the past: --to=2999-01-31T12:00:00Z");
    assertThat(run("rollback", "posts/a", "--to", "2")).isEqualTo(1);
    assertThat(err.toString()).startsWith("error: no version of a rule posts/a is known");
    assertThat(run("delete", "posts/a", "--author", " ")).isEqualTo(2);
    assertThat(err.toString()).startsWith("must be 1 to 100 characters: author= ");
  }

  @Test
  void apply_renamedDomain_saysThatTheOldOneStays() throws IOException {
    run("apply", file("posts.yaml", POSTS).toString());
    Path renamed = file("renamed.yaml", POSTS.replace("domain: posts", "domain: postings"));
    assertThat(run("apply", renamed.toString())).isZero();
    assertThat(err.toString())
        .startsWith("note: domain posts has rules of the same ids, which stay in force");
    run("apply", renamed.toString());
    assertThat(err.toString()).isEmpty();
  }

  /** Added by ann, changed by bob, deleted by cleo, a second from each to the next. */
  private void history() throws IOException {
    run("apply", file("rules.yaml", POSTS).toString(), "--author", "ann");
    store.advance(1_000);
    Path changed = file("rules.yaml", POSTS.replace("permits: 2", "permits: 5"));
    run("apply", changed.toString(), "--author", "bob");
    store.advance(1_000);
    run("delete", "posts/per-user", "--author", "cleo", "--message", "not needed");
    store.advance(1_000);
  }

  @Test
  void importEnvoy_configuration_isARuleFileThatIsValid() throws IOException {
    Path envoy =
        file("envoy.yaml", "domain: d\ndescriptors:\n  - key: user\n    detailed_metric: true\n");
    assertThat(run("import-envoy", envoy.toString())).isZero();
    assertThat(out.toString()).endsWith("domain: d\nrules: []\n");
    assertThat(err.toString())
        .startsWith(envoy + ":4:5: warning: detailed_metric has no equivalent");
    Path rules = directory.resolve("rules.yaml");
    assertThat(run("import-envoy", envoy.toString(), "--to", rules.toString())).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(run("validate", rules.toString())).isZero();
  }

  @Test
  void importEnvoy_severalFiles_areOneRuleFileForEachDomain() throws IOException {
    String descriptors =
        "\ndescriptors: [{key: %s, rate_limit: {unit: day, requests_per_unit: 5}}]\n";
    Path first = file("1.yaml", "domain: posts" + descriptors.formatted("user"));
    Path second = file("2.yaml", "domain: shop" + descriptors.formatted("user"));
    Path third = file("3.yaml", "domain: posts" + descriptors.formatted("ip"));
    List<String> files = Stream.of(first, second, third).map(Path::toString).toList();
    Path rules = directory.resolve("rules");

    assertThat(run("import-envoy", files.get(0), files.get(1))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("the configuration has 2 domains", "--to=DIRECTORY");
    assertThat(
            run("import-envoy", files.get(0), files.get(1), files.get(2), "--to", rules.toString()))
        .isZero();
    assertThat(err.toString())
        .contains(third + ":1:9: warning: domain \"posts\" is that of " + first + ", too; merged");
    assertThat(Files.readString(rules.resolve("posts.yaml")))
        .contains("# " + third + ", line 2: ip", "- id: user", "- id: ip");
    assertThat(run("validate", rules.resolve("posts.yaml").toString())).isZero();
    assertThat(run("validate", rules.resolve("shop.yaml").toString())).isZero();
  }

  @Test
  void importEnvoy_broken_writesNothing() throws IOException {
    Path envoy = file("envoy.yaml", "domain: d\ndescriptors: {}\n");
    Path rules = directory.resolve("rules.yaml");
    assertThat(run("import-envoy", envoy.toString(), "--to", rules.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith(envoy + ":2:14: descriptors must be a list");
    assertThat(rules).doesNotExist();
    Path missing = directory.resolve("missing.yaml");
    assertThat(run("import-envoy", missing.toString())).isEqualTo(2);
    assertThat(err).hasToString(missing + ":1:1: there is no such file\n");
  }

  @Test
  void rules_wrongUse_saysHowToUseIt() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).startsWith("missing command").contains("validate", "apply");
    assertThat(run("get", "per-user")).isEqualTo(2);
    assertThat(err.toString()).contains("must be domain/rule-id: rule=per-user");
    assertThat(run("validate")).isEqualTo(2);
  }

  private int run(String... arguments) {
    return run(RulesCommand.create(() -> store, () -> PREFIX, () -> json, Map.of()), arguments);
  }

  private int run(CommandLine command, String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
