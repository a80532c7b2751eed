package io.quotaenforcer.cli.entitlements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntitlementCsvTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule TWO_PARTS =
      Rule.of(new RuleId("api", "calls"), List.of("tenant", "api"), new FixedWindow(9, SECOND))
          .withEntitlements(new Entitlements(Map.of("gold", 1_000L, "silver", 100L)));

  @TempDir Path folder;

  private final List<String> read = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  private long read(Rule rule, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("f.csv"), text);
    return new EntitlementCsv(file, new EntitledRule(rule, HashKeys.NONE))
        .read(
            (keys, entitlement) -> keys.forEach(key -> read.add(key + " " + entitlement)),
            problem -> problems.add(problem.substring(folder.toString().length() + 1)));
  }

  @Test
  void lines_areReadByTheirColumns_inAnyOrder() throws IOException {
    long lines =
        read(
            TWO_PARTS,
            String.join(
                "\n",
                "\uFEFFapi,permits,tenant,plan,exempt",
                "GET,5,\"a, \"\"b\"\"\",,",
                "POST,,c,gold,false",
                "",
                "PUT,,d,,true"));
    assertThat(problems).isEmpty();
    assertThat(lines).isEqualTo(3);
    assertThat(read)
        .containsExactly(
            "api/calls/a%2C%20%22b%22/GET Permits[permits=5]",
            "api/calls/c/POST Plan[name=gold]", "api/calls/d/PUT Exempt[]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,GET,many,|permits is \"many\"; give a whole number",
        "a,GET,-1,|must be between 0 and 1000000000000: permits=-1",
        "a,GET,1.5,|permits is \"1.5\"; give a whole number",
        "a,GET,,|no limit; give one of permits, plan and exempt",
        "a,GET,5,gold|2 limits; give one of permits, plan and exempt",
        "a,GET,,golf|rule api/calls has no plan \"golf\"; did you mean \"gold\"? (one of gold,"
            + " silver)",
        "a,GET,,bronze|rule api/calls has no plan \"bronze\"; use one of gold, silver",
        "a,,5,|api is empty; give the value of the quota key",
        "a,GET,5|3 field(s), and the header has 4; give each, if only empty",
        "\"a,GET,5,|a quoted field is not closed, or text follows it; close it on its line, and"
            + " write \"\" for a quote in it"
      })
  void lineThatIsWrong_isNamedWithWhatToDo(String line, String problem) throws IOException {
    long lines = read(TWO_PARTS, "tenant,api,permits,plan\nb,GET,1,\n" + line + "\nc,GET,2,\n");
    assertThat(problems).containsExactly("f.csv:3: " + problem);
    assertThat(lines).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tenant,permits|no column \"api\", which is in the key of rule api/calls",
        "tenant,api|no column permits, plan or exempt",
        "tenant,api,permit,plan|unknown column \"permit\"",
        "tenant,api,plan,plan|a column comes twice"
      })
  void headerThatIsWrong_isNamed_andNothingIsRead(String header, String problem)
      throws IOException {
    assertThat(read(TWO_PARTS, header + "\nb,GET,1,\n")).isZero();
    assertThat(problems)
        .containsExactly(
            "f.csv:1: "
                + problem
                + "; the header must be tenant,api and one or more of permits, plan, exempt");
    assertThat(read).isEmpty();
  }

  @Test
  void attributeNamedAsALimit_cannotBeImported_andCanBeSet() throws IOException {
    Rule rule = TWO_PARTS.withKey(RuleKey.of("tenant", "plan"));
    assertThat(read(rule, "tenant,plan,permits\na,gold,5\n")).isZero();
    assertThat(problems)
        .containsExactly(
            "f.csv:1: rule api/calls has plan in its key, and a file says by that column what the"
                + " limit is; use quota entitlements set for each quota key");
  }

  @Test
  void numberThatABucketCannotHave_isRefused() throws IOException {
    Rule bucket =
        Rule.of(new RuleId("api", "calls"), List.of("tenant"), new TokenBucket(9, SECOND, 9))
            .withEntitlements(Entitlements.NO_PLANS);
    read(bucket, "tenant,permits,plan\na,0,\nb,,gold\n");
    assertThat(problems).hasSize(2);
    assertThat(problems.get(0)).contains("f.csv:2: the limit of rule api/calls cannot have");
    assertThat(problems.get(1)).contains("it has none: add plans to it first, or give permits");
  }

  @Test
  void valueThatTheRuleHashes_needsTheKeys() throws IOException {
    Rule hashing =
        TWO_PARTS.withKey(
            new RuleKey(List.of(KeyAttribute.hashed("tenant"), KeyAttribute.of("api"))));
    read(hashing, "tenant,api,permits\na,GET,1\n");
    assertThat(problems)
        .containsExactly(
            "f.csv:2: the rule hashes tenant: give the keys of the services, or the hash itself");
  }

  @Test
  void ruleThatTakesNothingFromData_isRefused() {
    Rule rule = Rule.of(new RuleId("api", "calls"), List.of("tenant"), new FixedWindow(9, SECOND));
    assertThatThrownBy(() -> new EntitledRule(rule, HashKeys.NONE))
        .hasMessage(
            "rule api/calls takes no limits from entitlements; add limits-from: entitlements to it"
                + " first");
  }
}
