package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.AuditRecord.Outcome;
import io.quotaenforcer.core.message.DeferralInput.Expedite;
import io.quotaenforcer.core.message.DeferralInput.Purge;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.http.OneDeferred;
import io.quotaenforcer.enforcer.operations.Operations.Letter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes over HTTP other than those of rules, and the record that each leaves. */
@Timeout(60)
class ApiChangesTest {
  private static final String ONE =
      "{\"id\": \"r1\", \"key\": \"posts/per-user/4%202\", \"reason\": \"a mistake\"}";

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

  private HttpResponse<String> post(String path, String token, String body) throws Exception {
    return site.send(
        site.request(path, token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private AuditRecord onlyRecord() {
    assertThat(site.operations.audit).hasSize(1);
    AuditRecord audit = site.operations.audit.get(0);
    assertThat(audit.who().address()).isEqualTo("127.0.0.1");
    assertThat(audit.atMillis()).isEqualTo(ApiSite.NOW / 1_000_000);
    return audit;
  }

  @Test
  void release_isToldToTheQueue_withWhoAskedForIt() throws Exception {
    HttpResponse<String> answer = post("/deferred/requests:release", ApiSite.OPERATOR, ONE);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    JsonNode body = ApiSite.checked(ChangeRoutes.RELEASE, answer);
    assertThat(body.path("outcome").asText()).isEqualTo("asked for");
    assertThat(site.operations.told)
        .containsExactly(new Expedite("r1", QuotaKey.parse("posts/per-user/4%202")));
    AuditRecord audit = onlyRecord();
    assertThat(audit.who().name()).isEqualTo("olga");
    assertThat(audit.what().action()).isEqualTo("deferred-release");
    assertThat(audit.what().target()).isEqualTo("posts/per-user/4%202 r1");
    assertThat(audit.result().outcome()).isEqualTo(Outcome.DONE);
    assertThat(audit.result().reason()).isEqualTo("a mistake");
  }

  @Test
  void cancel_isDone_onceTheDeadLetterIsThere() throws Exception {
    site.operations.onTold =
        () -> {
          site.isDeferred.set(false);
          site.operations.letters.add(
              letter("0-1", "cancelled: a mistake", QuotaKey.parse("posts/per-user/4%202")));
        };

    assertThat(cancelled()).isEqualTo("cancelled");
  }

  @Test
  void cancel_ofARequestThatIsGoneWithoutADeadLetter_saysSo() throws Exception {
    site.operations.onTold =
        () -> {
          site.isDeferred.set(false);
          site.operations.letters.add(
              letter("0-1", "cancelled: another", QuotaKey.parse("posts/per-user/5")));
        };
    assertThat(cancelled()).isEqualTo("gone: cancelled, or run meanwhile");

    site.isDeferred.set(true);
    site.operations.onTold =
        () -> {
          site.isDeferred.set(false);
          site.operations.trouble = Optional.of("Kafka is away");
        };
    assertThat(cancelled()).isEqualTo("gone: cancelled, or run meanwhile");
  }

  private String cancelled() throws Exception {
    HttpResponse<String> answer = post("/deferred/requests:cancel", ApiSite.OPERATOR, ONE);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiSite.checked(ChangeRoutes.CANCEL, answer).path("outcome").asText();
  }

  @Test
  void purge_hasTheNumberOfWhatWaited() throws Exception {
    HttpResponse<String> answer =
        post("/deferred:purge", ApiSite.OPERATOR, "{\"rule\": \"posts/per-user\"}");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(ApiSite.checked(ChangeRoutes.PURGE, answer).path("left").asInt()).isOne();
    assertThat(site.operations.told).containsExactly(new Purge("posts/per-user", "by hand"));
    assertThat(onlyRecord().result().change().count()).contains(1L);
  }

  @Test
  void requestThatIsNotThere_isRefused_andSoRecorded() throws Exception {
    HttpResponse<String> answer =
        post("/deferred/requests:cancel", ApiSite.OPERATOR, ONE.replace("r1", "r2"));

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("not known: it has been run, is a dead letter");
    assertThat(site.operations.told).isEmpty();
    assertThat(onlyRecord().result().outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(onlyRecord().what().action()).isEqualTo("deferred-cancel");
  }

  @Test
  void viewer_isRefused_andSoRecorded_withItsName() throws Exception {
    assertThat(post("/deferred/requests:cancel", ApiSite.VIEWER, ONE).statusCode()).isEqualTo(403);

    AuditRecord audit = onlyRecord();
    assertThat(audit.who().name()).isEqualTo("vic");
    assertThat(audit.who().role()).isEqualTo("viewer");
    assertThat(audit.result().outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(audit.result().reason()).contains("only an operator may do this");
    assertThat(post("/deferred/requests:cancel", "nobody", ONE).statusCode()).isEqualTo(401);
    assertThat(site.operations.audit).as("whoever has no name is not recorded").hasSize(1);
  }

  @Test
  void changeThatMeetsAnotherOne_isToComeAgainSoon() throws Exception {
    site.operations.busy = true;

    HttpResponse<String> released = post("/deferred/requests:release", ApiSite.OPERATOR, ONE);

    assertThat(released.statusCode()).as(released.body()).isEqualTo(503);
    assertThat(released.headers().firstValue("Retry-After")).contains("1");
    assertThat(released.body()).contains("ask again soon", "\"busy\"");
    assertThat(onlyRecord().result().outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void changeThatCannotBeRecorded_isNotMade_norIsThatOfARule() throws Exception {
    site.operations.trouble = Optional.of("nothing was changed: topic quota.audit is away");

    HttpResponse<String> released = post("/deferred/requests:release", ApiSite.OPERATOR, ONE);
    HttpResponse<String> published =
        site.send(
            site.request("/rules/a/b", ApiSite.OPERATOR)
                .header("Content-Type", "application/yaml")
                .header("If-None-Match", "*")
                .PUT(
                    BodyPublishers.ofString(
                        "domain: a\nrules: [{id: b, limit: {permits: 1, per: 1s}}]")));

    assertThat(released.statusCode()).isEqualTo(409);
    assertThat(released.body()).contains("topic quota.audit is away", "not-done");
    assertThat(site.operations.told).isEmpty();
    assertThat(published.statusCode()).as(published.body()).isEqualTo(409);
    assertThat(site.store.read().rules()).isEmpty();
  }

  @Test
  void bodiesThatAreOdd_areRefusedWithWhatIsWrong() throws Exception {
    String path = "/deferred/requests:release";
    for (String body :
        new String[] {
          "",
          "[]",
          "null",
          "{",
          "{}",
          "{\"id\":1,\"key\":\"a/b\"}",
          "{\"id\":\"a\",\"id\":\"b\",\"key\":\"a/b\"}",
          "{\"id\":\"a\",\"key\":\"a/b\",\"force\":true}",
          "{\"id\":\"" + "x".repeat(101) + "\",\"key\":\"a/b\"}",
          "{\"id\":\"a\",\"key\":\"nothing\"}",
          "[".repeat(2_000)
        }) {
      HttpResponse<String> answer = post(path, ApiSite.OPERATOR, body);
      assertThat(answer.statusCode()).as(body + " " + answer.body()).isEqualTo(400);
    }
    assertThat(site.operations.audit)
        .hasSize(11)
        .allMatch(it -> it.result().outcome() == Outcome.REFUSED);
  }

  @Test
  void lift_ofARuleWithoutAPenalty_isRefused() throws Exception {
    HttpResponse<String> none =
        post("/penalties:lift", ApiSite.OPERATOR, "{\"key\": \"posts/per-user/7\"}");

    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).contains("no such rule is in force: posts/per-user");
    assertThat(site.operations.lifted).isEmpty();
    assertThat(onlyRecord().what().target()).isEqualTo("posts/per-user/7");
  }

  @Test
  void payload_isForOperatorsOnly() throws Exception {
    String path = "/deferred/show?id=r1&key=posts/per-user/4%25202";
    assertThat(site.answer(ChangeRoutes.DEFERRED_SHOWN, path).toString())
        .contains("\"user\":\"4 2\"")
        .doesNotContain(OneDeferred.SECRET);
    assertThat(site.get(path + "&payload=true").statusCode()).isEqualTo(403);
    HttpResponse<String> shown = site.send(site.request(path + "&payload=true", ApiSite.OPERATOR));
    assertThat(shown.body()).contains(OneDeferred.SECRET);
    assertThat(site.get("/deferred/show?id=r1&key=posts/other/1").body())
        .contains("\"requests\":[]");
  }

  @Test
  void letters_areListedByReason_withoutContents() throws Exception {
    site.operations.letters.add(letter("0-1", "cancelled: by hand"));
    site.operations.letters.add(letter("0-2", "cancelled: again"));
    site.operations.letters.add(letter("0-3", "unreadable: x"));

    JsonNode all = site.answer(ChangeRoutes.LETTERS, "/dead-letters?reason=cancelled");
    JsonNode reasons = site.answer(ChangeRoutes.LETTER_REASONS, "/dead-letters/reasons");

    assertThat(all.path("letters")).hasSize(2);
    assertThat(all.at("/letters/0/redrivenAt").asText()).isEqualTo("1970-01-01T00:00:00.009Z");
    assertThat(reasons.at("/reasons/0/reason").asText()).isEqualTo("cancelled");
    assertThat(reasons.at("/reasons/0/letters").asInt()).isEqualTo(2);
    assertThat(reasons.path("counted").asInt()).isEqualTo(3);
    assertThat(site.answer(ChangeRoutes.LETTERS, "/dead-letters?limit=1").path("next").asText())
        .isEqualTo("0-1");
    HttpResponse<String> none =
        post("/dead-letters:redrive", ApiSite.OPERATOR, "{\"places\": [\"0-99\"]}");
    assertThat(none.statusCode()).isEqualTo(409);
    assertThat(onlyRecord().result().outcome()).isEqualTo(Outcome.REFUSED);
  }

  @Test
  void audit_isShownNewestFirst_withWhatCannotBeRead() throws Exception {
    post("/deferred/requests:release", ApiSite.OPERATOR, ONE);
    post("/deferred/requests:release", ApiSite.VIEWER, ONE);

    JsonNode changes = site.answer(ChangeRoutes.AUDIT, "/audit").path("changes");

    assertThat(changes).hasSize(3);
    assertThat(changes.at("/0/outcome").asText()).isEqualTo("refused");
    assertThat(changes.at("/1/outcome").asText()).isEqualTo("done");
    assertThat(changes.at("/1/caller").asText()).isEqualTo("olga");
    assertThat(changes.at("/2/unreadable").asText()).isEqualTo("no record");
    assertThat(new ObjectMapper().readTree(site.get("/audit?limit=1").body()).path("changes"))
        .hasSize(1);
  }

  private static Letter letter(String place, String reason) {
    return new Letter(deadLetter(place, reason, Optional.empty()), Optional.of(9L));
  }

  private static Letter letter(String place, String reason, QuotaKey key) {
    return new Letter(deadLetter(place, reason, Optional.of(key)), Optional.empty());
  }

  private static DeadLetter deadLetter(String place, String reason, Optional<QuotaKey> key) {
    return new DeadLetter(
        new DeadLetter.Aside(place, 5, reason),
        new DeadLetter.Origin("quota.deferred", Optional.of(4L), "r1", key),
        new DeadLetter.Content(17, false));
  }
}
