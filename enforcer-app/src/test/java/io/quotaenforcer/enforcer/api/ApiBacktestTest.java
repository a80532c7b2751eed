package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.backtest.PastEvents;
import io.quotaenforcer.rules.RuleFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Back-tests over HTTP: what is answered, by whom one may be had, and how it ends. */
@Timeout(60)
class ApiBacktestTest {
  private static final String FILE =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 2, per: 1h, algorithm: fixed-window}
      """;
  private static final long NOW_MILLIS = ApiSite.NOW / 1_000_000;
  private static final int MINUTE_MILLIS = 60_000;

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

  private HttpRequest.Builder ask(String query, String file) {
    return site.request("/rules:backtest" + query, ApiSite.OPERATOR)
        .header("Content-Type", "application/yaml")
        .POST(BodyPublishers.ofString(file));
  }

  private JsonNode answer(String query, String file) throws Exception {
    HttpResponse<String> response = site.send(ask(query, file));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return ApiSite.checked(ApiRoutes.BACKTEST, response);
  }

  /** In the last quarter of an hour, a request a minute, of which services refused each fifth. */
  private void quarterOfAnHour() {
    for (int i = 0; i < 15; i++) {
      site.events.add(
          i < 10 ? "ann" : "bob",
          NOW_MILLIS - (15L - i) * MINUTE_MILLIS,
          i % 5 == 0 ? Outcome.THROTTLED : Outcome.ADMITTED);
    }
  }

  @Test
  void newRule_isRunOnTheLastHour_besideWhatHappened() throws Exception {
    site.events.add("ann", NOW_MILLIS - 61L * MINUTE_MILLIS, Outcome.ADMITTED);
    quarterOfAnHour();

    JsonNode answer = answer("", FILE);

    assertThat(answer.path("requests").asInt()).isEqualTo(15);
    assertThat(answer.path("admitted").asInt()).isEqualTo(4);
    assertThat(answer.path("throttled").asInt()).isEqualTo(11);
    assertThat(answer.at("/happened/admitted").asInt()).isEqualTo(12);
    assertThat(answer.at("/happened/throttled").asInt()).isEqualTo(3);
    assertThat(answer.at("/perRule/0/happened/throttled").asInt()).isEqualTo(3);
    assertThat(answer.at("/topKeys/0/quotaKey").asText()).isEqualTo("posts/per-user/ann");
    assertThat(answer.at("/topKeys/0/throttled").asInt()).isEqualTo(8);
    assertThat(answer.path("share").asDouble()).isEqualTo(1);
    assertThat(answer.has("stopped")).isFalse();
    assertThat(answer.has("against")).isFalse();
  }

  @Test
  void ruleInForce_isWhatItIsComparedWith_andTheSpanIsAsAsked() throws Exception {
    quarterOfAnHour();
    site.rules = RuleSet.of(((RuleFile.Valid) RuleFile.parse("f", FILE)).rules());

    JsonNode answer = answer("?span=6m", FILE.replace("permits: 2", "permits: 1"));

    assertThat(answer.path("requests").asInt()).isEqualTo(6);
    assertThat(answer.at("/against/newlyThrottled").asInt()).isEqualTo(1);
    assertThat(answer.at("/against/admitted").asInt()).isEqualTo(3);
  }

  @Test
  void json_isAFile_too() throws Exception {
    String file =
        "{\"domain\": \"posts\", \"rules\": [{\"id\": \"all\", \"limit\": {\"permits\": 5, \"per\":"
            + " \"1h\"}}]}";
    HttpResponse<String> response =
        site.send(
            site.request("/rules:backtest", ApiSite.OPERATOR)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(file)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  @Test
  void moreEventsThanMay_stopIt_andItSaysHowMuchItSaw() throws Exception {
    for (int i = 0; i < 2 * PastEvents.MOST; i++) {
      site.events.add("ann", NOW_MILLIS - 60L * MINUTE_MILLIS + i * 900L, Outcome.ADMITTED);
    }

    JsonNode answer = answer("", FILE);

    assertThat(answer.path("stopped").asText()).isEqualTo("events");
    assertThat(answer.path("read").asLong()).isEqualTo(PastEvents.MOST);
    assertThat(answer.path("share").asDouble()).isBetween(0.49, 0.51);
  }

  @Test
  void events_tellOfTheProgress_andThenTheResult() throws Exception {
    quarterOfAnHour();

    HttpResponse<String> response = site.send(ask("", FILE).header("Accept", "text/event-stream"));

    assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
    assertThat(response.body())
        .startsWith("event: progress\ndata: {\"events\":0,\"share\":0.0}\n\n");
    String result =
        response.body().substring(response.body().indexOf("event: result\ndata: ") + 20);
    assertThat(new ObjectMapper().readTree(result).path("throttled").asInt()).isEqualTo(11);
  }

  @Test
  void badFile_badSpan_andRuleThatCannotBeRun_areRefusedWithTheReason() throws Exception {
    HttpResponse<String> file =
        site.send(
            ask("", FILE.replace("permits: 2", "permits: -2"))
                .header("Accept", "text/event-stream"));
    assertThat(file.statusCode()).isEqualTo(400);
    assertThat(file.body()).contains("permits");
    for (String span : new String[] {"1s", "8d", "x", "99999999999999999d"}) {
      assertThat(site.send(ask("?span=" + span, FILE)).statusCode()).as(span).isEqualTo(400);
    }
    HttpResponse<String> slots =
        site.send(
            ask(
                "",
                "domain: posts\nrules:\n  - id: a\n    limit: {concurrent: 2, max-hold: 1m}\n"));
    assertThat(slots.statusCode()).isEqualTo(400);
    assertThat(slots.body()).contains("do not say when a request ended");
  }

  @Test
  void secondAtATime_mustWait_andClientThatHangsUp_endsTheFirst() throws Exception {
    site.events.goOnForever();
    try (Socket first = begun()) {
      HttpResponse<String> second = site.send(ask("", FILE));
      assertThat(second.statusCode()).isEqualTo(429);
      assertThat(second.headers().firstValue("retry-after")).hasValue("30");
      assertThat(second.body()).contains("another back-test");
      assertThat(site.events.isEnded()).isFalse();
      first.setSoLinger(true, 0);
    }
    await().until(site.events::isEnded);
  }

  @Test
  void clientThatHangsUp_withoutEvents_endsIt() throws Exception {
    site.events.goOnForever();
    Socket only = asked("");
    await().until(site.events::isRunning);
    only.close();
    await().until(site.events::isEnded);
  }

  /** A caller whose back-test runs. */
  private Socket begun() throws IOException {
    Socket socket = asked("Accept: text/event-stream\r\n");
    byte[] some = new byte[1_000];
    StringBuilder text = new StringBuilder();
    while (text.indexOf("event: progress") < 0) {
      text.append(
          new String(some, 0, socket.getInputStream().read(some), StandardCharsets.US_ASCII));
    }
    return socket;
  }

  private Socket asked(String headers) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.port());
    socket
        .getOutputStream()
        .write(
            ("POST /api/v1/rules:backtest HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                    + ApiSite.OPERATOR
                    + "\r\nContent-Type: application/yaml\r\n"
                    + headers
                    + "Content-Length: "
                    + FILE.length()
                    + "\r\n\r\n"
                    + FILE)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
