package io.quotaenforcer.enforcer.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.server.HttpLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Requests that the HTTP API refuses: without rights, malformed, too large, or beside its routes.
 */
final class HostileRequests {
  static final String GOOD = "Authorization: Bearer " + ApiSite.VIEWER + "\r\n";
  private static final String MIGHTY = "Authorization: Bearer " + ApiSite.OPERATOR + "\r\n";
  static final String YAML = "Content-Type: application/yaml\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String FORM = "Content-Type: application/x-www-form-urlencoded\r\n";
  private static final String RELEASE = "POST /api/v1/deferred/requests:release";
  private static final String REDRIVE = "POST /api/v1/dead-letters:redrive";
  private static final String PUT = "PUT /api/v1/rules/a/b";

  private HostileRequests() {}

  /** Bounds of a server that gives up after two seconds, so that tests see it. */
  private static HttpLimits limits() {
    HttpLimits usual = HttpLimits.defaults();
    HttpLimits.Times soon =
        new HttpLimits.Times(
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(1));
    return new HttpLimits(usual.sizes(), soon, 50, usual.streams(), usual.heavyAtOnce());
  }

  /** A server that is asked for them. */
  static ApiSite site(Path folder) throws Exception {
    return new ApiSite(folder, 10_000, limits()).ready();
  }

  /** Closes it, if none of them has changed anything. */
  static void closeUnchanged(ApiSite site) {
    assertThat(site.store.read().rules()).isEmpty();
    assertThat(site.operations.told).isEmpty();
    assertThat(site.operations.lifted).isEmpty();
    site.close();
  }

  /** What is asked, with which headers and body, and the status that answers it. */
  static Stream<Arguments> refused() {
    return Stream.of(
        row("no token", "GET /api/v1/overview", "", "", 401),
        row("an unknown token", "GET /api/v1/overview", bearer("x".repeat(40)), "", 401),
        row("an empty token", "GET /api/v1/overview", bearer(""), "", 401),
        row(
            "a hash for a token",
            "GET /api/v1/overview",
            bearer(ApiSite.sha256(ApiSite.VIEWER)),
            "",
            401),
        row("another scheme", "GET /api/v1/overview", GOOD.replace("Bearer", "Basic"), "", 401),
        row(
            "a token in a cookie",
            "GET /api/v1/overview",
            "Cookie: token=" + ApiSite.VIEWER + "\r\n",
            "",
            401),
        row("a token in the query", "GET /api/v1/overview?token=" + ApiSite.VIEWER, "", "", 401),
        row("a token before any check", "GET /api/v1/keys/top?limit=0", "", "", 401),
        row(
            "a form of another site",
            PUT,
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "x",
            401),
        row(
            "a question of another site",
            "OPTIONS /api/v1/rules/a/b",
            "Origin: http://evil.example\r\nAccess-Control-Request-Method: PUT\r\n",
            "",
            403),
        row("a viewer that changes", PUT, GOOD + YAML, "x", 403),
        row(
            "a viewer that changes the mode",
            "PUT /api/v1/rules/a/b/mode",
            GOOD + "Content-Type: application/json\r\n",
            "{\"mode\":\"shadow\"}",
            403),
        row("another type", PUT, MIGHTY + "Content-Type: text/html\r\n", "x", 415),
        row("no type", PUT, MIGHTY, "x", 415),
        row("a type that is no type", PUT, MIGHTY + "Content-Type: ;;;\r\n", "x", 415),
        row("a viewer that back-tests", "POST /api/v1/rules:backtest", GOOD + YAML, "x", 403),
        row(
            "a back-test of another site",
            "POST /api/v1/rules:backtest",
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "x",
            401),
        row(
            "a back-test that is sent as a form",
            "POST /api/v1/rules:backtest",
            MIGHTY + "Content-Type: application/x-www-form-urlencoded\r\n",
            "x",
            415),
        row(
            "a back-test that is long",
            "POST /api/v1/rules:backtest",
            MIGHTY + YAML,
            "x".repeat(300_000),
            413),
        row(
            "a back-test of all time",
            "POST /api/v1/rules:backtest?span=9999d",
            MIGHTY + YAML,
            "domain: a\nrules: []\n",
            400),
        row("a stream without a token", "GET /api/v1/events", "", "", 401),
        row(
            "a stream with a token in the query",
            "GET /api/v1/events?token=" + ApiSite.VIEWER,
            "",
            "",
            401),
        row("a stream that is posted", "POST /api/v1/events", GOOD, "x", 405),
        row("a topology without a token", "GET /api/v1/topology", "", "", 401),
        row("a viewer that changes a domain", "PUT /api/v1/rules/a", GOOD + YAML, "x", 403),
        row(
            "a domain that is long",
            "PUT /api/v1/rules/a?versions=b:1",
            MIGHTY + YAML,
            "x".repeat(300_000),
            413),
        row(
            "a body that is long",
            "POST /api/v1/rules:validate",
            GOOD + YAML,
            "x".repeat(300_000),
            413),
        row("a rule that is long", PUT, MIGHTY + YAML, "x".repeat(70_000), 413),
        row("a limit of none", "GET /api/v1/keys/top?limit=0", GOOD, "", 400),
        row("a limit of many", "GET /api/v1/keys/top?limit=201", GOOD, "", 400),
        row(
            "a limit that runs over",
            "GET /api/v1/keys/top?limit=99999999999999999999",
            GOOD,
            "",
            400),
        row("a limit below none", "GET /api/v1/instances?limit=-1", GOOD, "", 400),
        row("a limit twice", "GET /api/v1/instances?limit=1&limit=2", GOOD, "", 400),
        row("a parameter that is not", "GET /api/v1/instances?sort=1", GOOD, "", 400),
        row("a ranking that is not", "GET /api/v1/keys/top?by=cost", GOOD, "", 400),
        row("a flag that is none", "GET /api/v1/overview?here=1", GOOD, "", 400),
        row("no prefix", "GET /api/v1/keys", GOOD, "", 400),
        row("an empty prefix", "GET /api/v1/keys?prefix=", GOOD, "", 400),
        row("a prefix with a zero", "GET /api/v1/keys?prefix=a%00b", GOOD, "", 400),
        row("a prefix of other letters", "GET /api/v1/keys?prefix=%C3%A4", GOOD, "", 400),
        row("a key after no key", "GET /api/v1/keys?prefix=a/b&after=x", GOOD, "", 400),
        row("a key that is none", "GET /api/v1/keys/show?key=x", GOOD, "", 400),
        row("a key in another spelling", "GET /api/v1/keys/show?key=a/b/%2542", GOOD, "", 400),
        row(
            "a place that is none",
            "GET /api/v1/deferred/requests?rule=a/b&after=x",
            GOOD,
            "",
            400),
        row("a path upwards", "GET /api/v1/../../etc/passwd", GOOD, "", 400),
        row("a path upwards, written otherwise", "GET /api/v1/rules/%2e%2e/%2e%2e", GOOD, "", 400),
        row("a path upwards in one part", "GET /api/v1/rules/a/..%2f..%2fetc", GOOD, "", 400),
        row("another method", "DELETE /api/v1/rules/a/b", MIGHTY, "", 405),
        row("a trace", "TRACE /api/v1/overview", GOOD, "", 405),
        row("a release by nobody", RELEASE, JSON, "{}", 401),
        row("a release by a viewer", RELEASE, GOOD + JSON, "{}", 403),
        row(
            "a release by a form of another site",
            RELEASE,
            "Origin: http://evil.example\r\nContent-Type: text/plain\r\nCookie: token="
                + ApiSite.OPERATOR
                + "\r\n",
            "{}",
            401),
        row("a release in a form", RELEASE, MIGHTY + FORM, "id=a", 415),
        row("a release of nothing", RELEASE, MIGHTY + JSON, "", 400),
        row("a release of many", RELEASE, MIGHTY + JSON, "x".repeat(140_000), 413),
        row(
            "a cancel by a viewer",
            "POST /api/v1/deferred/requests:cancel",
            GOOD + JSON,
            "{}",
            403),
        row("a cancel by reading", "GET /api/v1/deferred/requests:cancel", MIGHTY, "", 405),
        row("a purge by a viewer", "POST /api/v1/deferred:purge", GOOD + JSON, "{}", 403),
        row("a purge of everything", "POST /api/v1/deferred:purge", MIGHTY + JSON, "{}", 400),
        row("a lift by a viewer", "POST /api/v1/penalties:lift", GOOD + JSON, "{}", 403),
        row("a lift of no key", "POST /api/v1/penalties:lift", MIGHTY + JSON, "{\"key\":7}", 400),
        row("a redrive by a viewer", REDRIVE, GOOD + JSON, "{}", 403),
        row("a redrive of none", REDRIVE, MIGHTY + JSON, "{\"places\":[]}", 400),
        row("a redrive of text", REDRIVE, MIGHTY + JSON, "{\"places\":\"0-1\"}", 400),
        row(
            "a redrive of too many",
            REDRIVE,
            MIGHTY + JSON,
            "{\"places\":[" + "\"0-1\",".repeat(50) + "\"0-1\"]}",
            400),
        row("a redrive that is long", REDRIVE, MIGHTY + JSON, "x".repeat(5_000), 413),
        row(
            "a payload for a viewer",
            "GET /api/v1/deferred/show?id=a&key=a/b&payload=true",
            GOOD,
            "",
            403),
        row("a request without an id", "GET /api/v1/deferred/show", GOOD, "", 400),
        row("many dead letters", "GET /api/v1/dead-letters?limit=201", GOOD, "", 400),
        row("dead letters of no rule", "GET /api/v1/dead-letters?rule=x", GOOD, "", 400),
        row("dead letters of nobody", "GET /api/v1/dead-letters", "", "", 401),
        row("much of the audit", "GET /api/v1/audit?limit=100000", GOOD, "", 400),
        row("the audit for nobody", "GET /api/v1/audit", "", "", 401),
        row("an audit that is written", "POST /api/v1/audit", MIGHTY + JSON, "{}", 405),
        row("a path in capitals", "GET /API/v1/overview", GOOD, "", 404),
        row("a path with more behind", "GET /api/v1/overview/x", GOOD, "", 404),
        row(
            "a header that is long",
            "GET /api/v1/overview",
            GOOD + "X: " + "x".repeat(9_000) + "\r\n",
            "",
            431),
        row("headers in masses", "GET /api/v1/overview", GOOD + "X: y\r\n".repeat(4_000), "", 431),
        row("a line that is long", "GET /api/v1/keys?prefix=" + "a".repeat(9_000), GOOD, "", 414));
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token + "\r\n";
  }

  private static Arguments row(
      String name, String request, String headers, String body, int status) {
    return Arguments.of(name, request, headers, body, status);
  }
}
