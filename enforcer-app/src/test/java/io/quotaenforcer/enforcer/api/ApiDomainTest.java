package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.rules.RuleFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several rules of a domain, published as one change. */
@Timeout(60)
class ApiDomainTest {
  private static final String PAIR =
      """
      domain: posts
      rules:
        - id: pool
          limit: {permits: 1000, per: 1s, algorithm: token-bucket}
        - id: per-user
          key: [user]
          limit: {permits: 10, per: 1s, algorithm: token-bucket}
          elastic: {pool: pool, up-to: 300%}
      """;

  @TempDir Path folder;

  private ApiSite site;

  @BeforeEach
  void start() throws Exception {
    site = new ApiSite(folder).ready();
  }

  @AfterEach
  void stop() {
    site.close();
  }

  private HttpResponse<String> put(String versions, String body) throws Exception {
    return site.send(
        site.request("/rules/posts" + versions, ApiSite.OPERATOR)
            .header("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(body)));
  }

  private long version(String id) {
    return site.store.read().rule(new RuleId("posts", id)).map(Rule::version).orElse(0L);
  }

  @Test
  void elasticRule_andItsPool_arePublishedTogether_andChangedByWhoHasSeenBoth() throws Exception {
    HttpResponse<String> added = put("?versions=pool:0,per-user:0", PAIR);
    assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
    JsonNode rules = ApiSite.checked(ApiRoutes.PUT_DOMAIN, added).path("rules");
    assertThat(rules).hasSize(2);
    rules.forEach(rule -> assertThat(rule.path("change").asText()).isEqualTo("added"));

    String other = PAIR.replace("permits: 1000", "permits: 2000");
    HttpResponse<String> changed = put("?versions=pool:1,per-user:1", other);
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    assertThat(version("pool")).isEqualTo(2);
    assertThat(version("per-user")).isEqualTo(1);
    assertThat(
            new RuleAdmin(site.store)
                .history()
                .versions(new RuleId("posts", "pool"))
                .get(1)
                .author())
        .hasValue("olga");
  }

  @Test
  void ruleThatMoved_isNamed_andNothingIsPublished() throws Exception {
    put("?versions=pool:0,per-user:0", PAIR);
    put("?versions=pool:1,per-user:1", PAIR.replace("permits: 1000", "permits: 2000"));
    String mine = PAIR.replace("permits: 10,", "permits: 20,");

    HttpResponse<String> refused = put("?versions=pool:1,per-user:1", mine);

    assertThat(refused.statusCode()).isEqualTo(412);
    assertThat(refused.body()).contains("posts/pool has the version 2").doesNotContain("per-user");
    assertThat(version("per-user")).isEqualTo(1);
    HttpResponse<String> gone = put("?versions=pool:2,per-user:1,c:3", mine + extra());
    assertThat(gone.statusCode()).isEqualTo(412);
    assertThat(gone.body()).contains("posts/c is not published");
    assertThat(version("per-user")).isEqualTo(1);
  }

  private static String extra() {
    return "  - id: c\n    limit: {permits: 1, per: 1s}\n";
  }

  @Test
  void versionsThatAreMissing_orOfNoRule_orNone_areRefused() throws Exception {
    HttpResponse<String> one = put("?versions=pool:0", PAIR);
    assertThat(one.statusCode()).isEqualTo(428);
    assertThat(one.body()).contains("missing: per-user");
    assertThat(put("", PAIR).statusCode()).isEqualTo(428);
    for (String wrong :
        new String[] {
          "pool:0,per-user:0,x:0", "pool:0,pool:0,per-user:0", "pool,per-user:0", "pool:-1", "a/b:1"
        }) {
      assertThat(put("?versions=" + wrong, PAIR).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(put("?versions=a:0", PAIR.replace("domain: posts", "domain: others")).statusCode())
        .isEqualTo(400);
    assertThat(put("?versions=pool:0,per-user:0", PAIR.replace("pool: pool", "pool: none")).body())
        .contains("which is no rule of this file");
    assertThat(site.store.read().rules()).isEmpty();
  }

  @Test
  void fileOfAnElasticRule_hasItsPool_soThatItIsAFile() throws Exception {
    site.rules = RuleSet.of(((RuleFile.Valid) RuleFile.parse("f", PAIR)).rules());
    JsonNode answer = site.answer(ApiRoutes.RULE_SHOWN, "/rules/posts/per-user");
    RuleFile file = RuleFile.parse("f", answer.path("yaml").asText());
    assertThat(file).isInstanceOf(RuleFile.Valid.class);
    assertThat(((RuleFile.Valid) file).rules()).hasSize(2);
    assertThat(answer.path("versions").asText()).matches("per-user:\\d+,pool:\\d+");
  }
}
