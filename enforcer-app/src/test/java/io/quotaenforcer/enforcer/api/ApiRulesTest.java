package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules that are read, checked and published over HTTP. */
@Timeout(60)
class ApiRulesTest {
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final String PATH = "/rules/posts/per-user";
  private static final String FIRST = file(2);
  private static final String SECOND = file(3);

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

  private static String file(int permits) {
    return """
        domain: posts
        rules:
          - id: per-user
            key: [user]
            limit: {permits: %d, per: 1s}
        """
        .formatted(permits);
  }

  private HttpResponse<String> put(String body, String... headers) throws Exception {
    return site.send(
        site.request(PATH, ApiSite.OPERATOR)
            .header("Content-Type", "application/yaml")
            .headers(headers.length == 0 ? new String[] {"X-Nothing", "here"} : headers)
            .PUT(BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> mode(String body, String etag) throws Exception {
    return site.send(
        site.request(PATH + "/mode", ApiSite.OPERATOR)
            .header("Content-Type", "application/json")
            .header("If-Match", etag)
            .PUT(BodyPublishers.ofString(body)));
  }

  private Rule published() {
    return new RuleAdmin(site.store).get(ID);
  }

  @Test
  void rule_isCreatedAndChanged_byWhoHasSeenWhatItReplaces() throws Exception {
    HttpResponse<String> created = put(FIRST, "If-None-Match", "*");
    assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
    assertThat(ApiSite.checked(ApiRoutes.PUT_RULE, created).path("change").asText())
        .isEqualTo("added");
    assertThat(created.headers().firstValue("etag")).contains("\"1\"");

    HttpResponse<String> changed = put(SECOND, "If-Match", "\"1\"");
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    assertThat(changed.headers().firstValue("etag")).contains("\"2\"");
    assertThat(published().limit().permits()).isEqualTo(3);

    assertThat(put(SECOND, "If-Match", "\"2\"").body()).contains("\"change\":\"unchanged\"");
    assertThat(published().version()).isEqualTo(2);
    assertThat(site.store.audit())
        .extracting(bytes -> Wire.of("quota.", Codecs.withoutRegistry()).decodeAudit(bytes))
        .extracting(
            audit ->
                "%s %s %s %s to %s"
                    .formatted(
                        audit.who().name(),
                        audit.what().action(),
                        audit.what().target(),
                        audit.result().change().before().orElse(0L),
                        audit.result().change().after().orElse(0L)))
        .containsExactly(
            "olga rule-put posts/per-user 0 to 1", "olga rule-put posts/per-user 1 to 2");
    assertThat(site.operations.audit).as("unchanged").hasSize(1);
    JsonNode history = site.answer(ApiRoutes.RULE_HISTORY, PATH + "/history");
    assertThat(history.path("versions")).hasSize(2);
    assertThat(history.at("/versions/0/version").asInt()).isEqualTo(2);
    assertThat(history.at("/versions/0/author").asText()).isEqualTo("olga");
    assertThat(history.at("/versions/0/yaml").asText()).contains("permits: 3");
    assertThat(history.at("/versions/1/message").asText()).isEqualTo("by the HTTP API");
    assertThat(
            site.answer(ApiRoutes.RULE_HISTORY, PATH + "/history?limit=1").path("more").asBoolean())
        .isTrue();
    assertThat(site.get("/rules/posts/none/history").statusCode()).isEqualTo(404);
  }

  @Test
  void rule_thatIsNotAsItWasRead_isNotReplaced() throws Exception {
    put(FIRST, "If-None-Match", "*");

    assertThat(put(SECOND).statusCode()).isEqualTo(428);
    assertThat(put(SECOND, "If-None-Match", "*").statusCode()).isEqualTo(412);
    HttpResponse<String> late = put(SECOND, "If-Match", "\"7\"");
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body()).contains("\"category\":\"changed\"", "the version \\\"1\\\"");
    assertThat(put(SECOND, "If-Match", "*").statusCode()).isEqualTo(412);
    assertThat(site.store.audit()).hasSize(1);
    assertThat(site.operations.audit)
        .hasSize(4)
        .allMatch(audit -> audit.result().outcome() == AuditRecord.Outcome.REFUSED);
    assertThat(published().limit().permits()).isEqualTo(2);
  }

  @Test
  void rule_thatIsWrongOrAnother_isNotPublished() throws Exception {
    HttpResponse<String> wrong =
        put("domain: posts\nrules: [{id: per-user}]", "If-None-Match", "*");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).contains("body:2:").contains("limit");
    assertThat(put(FIRST.replace("per-user", "other"), "If-None-Match", "*").body())
        .contains("must hold one rule, which is that of the path: posts/per-user");
    assertThat(site.store.read().rules()).isEmpty();
  }

  @Test
  void mode_isChanged_andNothingElse() throws Exception {
    put(FIRST, "If-None-Match", "*");

    HttpResponse<String> shadow = mode("{\"mode\": \"shadow\"}", "\"1\"");

    assertThat(shadow.statusCode()).as(shadow.body()).isEqualTo(200);
    assertThat(ApiSite.checked(ApiRoutes.PUT_MODE, shadow).path("countsAnew").asBoolean())
        .isFalse();
    assertThat(published().mode()).isEqualTo(Mode.SHADOW);
    assertThat(published().limit().permits()).isEqualTo(2);
    assertThat(mode("{\"mode\": \"enforce\"}", "\"1\"").statusCode()).isEqualTo(412);
    assertThat(mode("{\"mode\": \"off\"}", "\"2\"").statusCode()).isEqualTo(400);
    assertThat(mode("[", "\"2\"").statusCode()).isEqualTo(400);
  }

  @Test
  void rulesInForce_areExplained_withTheVersionToChange() throws Exception {
    put(FIRST, "If-None-Match", "*");
    site.rules = RuleSet.of(List.of(published()));

    JsonNode list = site.answer(ApiRoutes.RULES, "/rules").path("rules");
    HttpResponse<String> one = site.get(PATH);
    JsonNode shown = ApiSite.checked(ApiRoutes.RULE_SHOWN, one);

    assertThat(list.at("/0/rule").asText()).isEqualTo("posts/per-user");
    assertThat(one.headers().firstValue("etag")).contains("\"1\"");
    assertThat(shown.path("says").size()).isPositive();
    assertThat(shown.path("yaml").asText()).contains("permits: 2");
    assertThat(site.get("/rules/posts/none").statusCode()).isEqualTo(404);
    assertThat(site.get("/rules/posts/no%20name").statusCode()).isEqualTo(400);
  }

  @Test
  void file_isChecked_lineByLine() throws Exception {
    JsonNode wrong =
        validated("domain: posts\nrules:\n  - id: a\n    limt: {permits: 1, per: 1s}\n");
    assertThat(wrong.path("valid").asBoolean()).isFalse();
    assertThat(wrong.at("/problems/0/line").asInt()).isPositive();
    assertThat(wrong.path("problems").toString()).contains("limt");

    JsonNode right = validated(FIRST);
    assertThat(right.path("valid").asBoolean()).isTrue();
    assertThat(right.at("/explanations/0/rule").asText()).isEqualTo("posts/per-user");
    assertThat(site.store.read().rules()).isEmpty();
  }

  private JsonNode validated(String file) throws Exception {
    return ApiSite.checked(
        ApiRoutes.VALIDATE,
        site.send(
            site.request("/rules:validate", ApiSite.VIEWER)
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(file))));
  }
}
