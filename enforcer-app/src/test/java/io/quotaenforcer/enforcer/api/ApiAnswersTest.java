package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.Holding;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import io.quotaenforcer.enforcer.query.EnforcersQuery;
import io.quotaenforcer.enforcer.query.KeyFacts;
import io.quotaenforcer.enforcer.query.KeyQuery;
import io.quotaenforcer.enforcer.query.QuotaUsageRecord;
import io.quotaenforcer.enforcer.query.UsageAnswer;
import io.quotaenforcer.server.Health;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two enforcers, each of which answers for both. */
@Timeout(60)
class ApiAnswersTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final String KEY = "posts/per-user/42";

  @TempDir Path folder;

  private ApiSite one;
  private ApiSite two;

  @BeforeEach
  void start() throws Exception {
    one = new ApiSite(Files.createDirectory(folder.resolve("one")));
    two = new ApiSite(Files.createDirectory(folder.resolve("two")));
    one.enforcers.add(two.address());
    two.enforcers.add(one.address());
    one.ready();
    two.ready();
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
  }

  private static void count(ApiSite at, int partition, String key, long used, long throttled) {
    PartitionRecorder recorder = at.activity.begin(partition, ApiSite.NOW - 60 * MINUTE);
    recorder.counted(
        QuotaKey.parse(key), List.of(new WindowCount(0, used, throttled)), ApiSite.NOW);
  }

  private static List<String> texts(JsonNode rows, String field) {
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(row.path(field).asText()));
    return texts;
  }

  @Test
  void overview_sumsUpWhatEachKnows_withItsHealth() throws Exception {
    count(one, 0, KEY, 600, 0);
    count(two, 1, "posts/per-user/43", 300, 60);
    two.health = new Health.Failing("a record is too large");

    JsonNode all = one.answer(ApiRoutes.OVERVIEW, "/overview");

    double decay = Math.log(2) / 60;
    assertThat(all.at("/totals/admittedPerSecond").asDouble()).isCloseTo(900 * decay, within(0.01));
    assertThat(all.at("/totals/throttledPerSecond").asDouble()).isCloseTo(60 * decay, within(0.01));
    assertThat(all.at("/totals/partitions").asInt()).isEqualTo(2);
    assertThat(all.at("/totals").has("lag")).isFalse();
    assertThat(all.path("enforcers")).hasSize(2);
    assertThat(all.path("enforcers").toString())
        .contains("{\"status\":\"failing\",\"reason\":\"a record is too large\"}");
    assertThat(one.answer(ApiRoutes.OVERVIEW, "/overview?here=true").path("enforcers")).hasSize(1);
  }

  @Test
  void question_thatSaysItIsForAll_isAnsweredByAll_withWhatElseItSays() throws Exception {
    two.keys.known.put("posts/per-user/a+b%2Fc", facts("posts/per-user/a+b%2Fc"));
    two.keys.known.put("posts/per-user/a b", facts("posts/per-user/a b"));

    for (String forAll : List.of("here=false", "%68ere=false")) {
      JsonNode all = one.answer(ApiRoutes.OVERVIEW, "/overview?" + forAll);
      assertThat(all.path("enforcers")).as(forAll).hasSize(2);
      assertThat(all.path("missing")).as(forAll).isEmpty();
      JsonNode found =
          one.answer(ApiRoutes.SEARCH, "/keys?prefix=posts/per-user/a%2Bb%252F&" + forAll);
      assertThat(texts(found.path("keys"), "quotaKey")).containsExactly("posts/per-user/a+b%2Fc");
    }
  }

  @Test
  void enforcerThatDoesNotAnswer_isNamed_andNotTakenForZero() throws Exception {
    URI gone = two.address();
    two.close();

    JsonNode all = one.answer(ApiRoutes.OVERVIEW, "/overview");

    assertThat(all.path("enforcers")).hasSize(1);
    assertThat(all.at("/missing/0/enforcer").asText()).isEqualTo(gone.toString());
    assertThat(all.at("/missing/0/why").asText()).isEqualTo("it does not answer");
  }

  @Test
  void enforcerThatIsGone_isNamedOnce_asWhoMissedItLastSays_unlessItAnswers() throws Exception {
    URI third = URI.create("http://10.0.0.3:8089");
    one.gone.add(new EnforcersQuery.Gone(third, 70));
    one.gone.add(new EnforcersQuery.Gone(two.address(), 5));
    two.gone.add(new EnforcersQuery.Gone(third, 65));

    JsonNode gone = one.answer(ApiRoutes.OVERVIEW, "/overview").path("gone");

    assertThat(gone.toString())
        .isEqualTo("[{\"enforcer\":\"http://10.0.0.3:8089\",\"seconds\":65}]");
  }

  @Test
  void topKeys_areThoseOfAllEnforcers() throws Exception {
    count(one, 0, KEY, 600, 0);
    count(two, 1, "posts/per-user/43", 900, 60);
    count(two, 2, "posts/per-user/44", 10, 990);

    assertThat(texts(one.answer(ApiRoutes.TOP, "/keys/top").path("keys"), "quotaKey"))
        .containsExactly("posts/per-user/43", KEY, "posts/per-user/44");
    assertThat(
            texts(
                two.answer(ApiRoutes.TOP, "/keys/top?by=throttled&limit=1").path("keys"),
                "quotaKey"))
        .containsExactly("posts/per-user/44");
    assertThat(
            texts(one.answer(ApiRoutes.TOP, "/keys/top?by=demand").path("keys"), "quotaKey").get(0))
        .isEqualTo("posts/per-user/44");
  }

  @Test
  void search_pageByPage_tellsEveryKeyOnce() throws Exception {
    one.keys.partitions.addAll(List.of(0, 2));
    two.keys.partitions.add(1);
    List<String> all = new ArrayList<>();
    for (int i = 100; i < 150; i++) {
      String key = "posts/per-user/" + i;
      all.add(key);
      (i % 3 == 0 ? one : two).keys.known.put(key, facts(key));
    }
    two.keys.known.put("reads/other/1", facts("reads/other/1"));
    List<String> found = new ArrayList<>();
    String after = "";
    JsonNode page;
    do {
      page = one.answer(ApiRoutes.SEARCH, "/keys?prefix=posts/per-user/&limit=7&after=" + after);
      found.addAll(texts(page.path("keys"), "quotaKey"));
      after = found.get(found.size() - 1);
      assertThat(page.path("partitions").toString()).isEqualTo("{\"answered\":[0,1,2],\"all\":4}");
    } while (page.path("more").asBoolean());

    assertThat(found).isEqualTo(all);
  }

  private static KeyFacts facts(String key) {
    return new KeyFacts(key, 10, 3, 5, 2, 1, Instant.EPOCH);
  }

  private static QuotaUsageRecord usage() {
    return new QuotaUsageRecord(
        KEY,
        "2 per 1s",
        1,
        2,
        3,
        Optional.of(Instant.EPOCH),
        List.of(new QuotaUsageRecord.WindowUsage(Instant.EPOCH, 4, 5)),
        List.of(new Holding(new HolderId.Instance("a"), -1, 2, 3, 1.5, 0)));
  }

  @Test
  void key_isShownByWhoeverIsAsked() throws Exception {
    one.keys.usage = new UsageAnswer.Elsewhere(two.address());
    two.keys.usage = new UsageAnswer.Found(usage());

    JsonNode key = one.answer(ApiRoutes.SHOW, "/keys/show?key=" + KEY);

    assertThat(key.at("/windows/0/used").asInt()).isEqualTo(4);
    assertThat(key.at("/holders/0").toString())
        .isEqualTo(
            "{\"instance\":\"a\",\"epoch\":\"ffffffffffffffff\",\"outstanding\":2,\"share\":3,"
                + "\"demandPerSecond\":1.5,\"reportedAt\":\"1970-01-01T00:00:00Z\"}");
    assertThat(key.has("stale")).isFalse();
  }

  @Test
  void key_whoseEnforcerIsAway_isShownByACopy_withHowFarItIsBehind() throws Exception {
    one.keys.usage = new UsageAnswer.Elsewhere(two.address());
    one.keys.copy = Optional.of(new KeyQuery.Copy(usage(), 17));
    two.close();

    JsonNode key = one.answer(ApiRoutes.SHOW, "/keys/show?key=" + KEY);

    assertThat(key.at("/stale/recordsBehind").asInt()).isEqualTo(17);
    one.keys.copy = Optional.empty();
    HttpResponse<String> none = one.get("/keys/show?key=" + KEY);
    assertThat(none.statusCode()).isEqualTo(503);
    assertThat(none.body()).contains("not-ready", "there is no copy here");
  }

  @Test
  void key_thatNobodyCounted_isNotFound_alsoElsewhere() throws Exception {
    assertThat(one.get("/keys/show?key=" + KEY).statusCode()).isEqualTo(404);
    one.keys.usage = new UsageAnswer.Elsewhere(two.address());
    HttpResponse<String> none = one.get("/keys/show?key=" + KEY);
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).contains("nothing was counted", "not-found");
  }

  @Test
  void instance_thatReportsToSeveralEnforcers_isOneRow() throws Exception {
    hear(one, "a", 5, 2);
    hear(two, "a", 3, 1);
    hear(two, "b", 1, 1);

    JsonNode rows = one.answer(ApiRoutes.INSTANCES, "/instances").path("instances");

    assertThat(texts(rows, "instance")).containsExactly("b", "a");
    assertThat(texts(rows, "heardAt").get(1))
        .isEqualTo(Instant.ofEpochSecond(ApiSite.NOW / 1_000_000_000L - 3).toString());
    assertThat(one.answer(ApiRoutes.INSTANCES, "/instances?limit=1").path("more").asBoolean())
        .isTrue();
  }

  private static void hear(ApiSite at, String instance, int secondsAgo, int partition) {
    long heard = ApiSite.NOW - secondsAgo * 1_000_000_000L;
    at.activity
        .begin(partition + secondsAgo, heard)
        .heard(new UsageReport(instance, 7, 0, 20_000_000, 0, List.of()), heard);
  }

  @Test
  void deferred_isSummedUp_andListedWithoutPayloads() throws Exception {
    JsonNode sums = one.answer(ApiRoutes.DEFERRED, "/deferred").path("queues");
    assertThat(sums).hasSize(1);
    assertThat(sums.at("/0/waiting").asInt()).isEqualTo(2);
    HttpResponse<String> list = one.get("/deferred/requests?rule=posts/per-user&here=true");
    assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
    assertThat(list.body()).contains("\"id\":\"r1\"").doesNotContain("whoever has the token");
    one.answer(ApiRoutes.DEFERRED_REQUESTS, "/deferred/requests?rule=posts/per-user");
  }

  @Test
  void whoAmI_saysWhoseTokenItIs() throws Exception {
    assertThat(one.answer(ApiRoutes.WHOAMI, "/whoami").toString())
        .isEqualTo("{\"name\":\"vic\",\"role\":\"viewer\"}");
  }
}
