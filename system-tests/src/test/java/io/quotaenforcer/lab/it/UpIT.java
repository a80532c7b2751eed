package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.QuotaProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code quota up} and {@code quota broker}, each a process, ended and started again. */
@Timeout(720)
class UpIT {
  private static final Duration START = Duration.ofSeconds(90);
  private static final Duration END = Duration.ofSeconds(30);
  private static final int INTERRUPTED = 130;
  private static final int LIMIT = 5;
  private static final double SECONDS_PER_TOKEN = 12;

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  /** One that is ready, and where it listens. */
  private record Running(ChildJvm jvm, String broker, String enforcer, String gateway)
      implements AutoCloseable {
    @Override
    public void close() {
      jvm.close();
    }
  }

  @Test
  void up_asked_admitsTheLimit_andGoesOnAfterCtrlC_byTheUsersRules() throws Exception {
    Path rules = folder.resolve("data/rules.yaml");
    try (Running up = up()) {
      assertThat(up.jvm().out().toString()).contains("3 of " + rules + ", published just now");
      assertThat(statuses(up, "42", LIMIT + 2))
          .isEqualTo(List.of(200, 200, 200, 200, 200, 429, 429));
      awaitUsed(up, "42", LIMIT);
      assertThat(whoami(up)).contains("operator");
      Files.writeString(rules, Files.readString(rules).replace("permits: 5,", "permits: 8,"));
      QuotaProgram.run("rules", "apply", rules.toString(), "--bootstrap-server=" + up.broker());

      up.jvm().signal("INT");

      assertThat(up.jvm().exitCode(END)).isEqualTo(INTERRUPTED);
      assertThat(up.jvm().out())
          .contains(
              "ending; ./quota up with the same options goes on where this was: --data "
                  + folder.resolve("data"));
      // What a machine does to it is told, and nothing else.
      assertThat(up.jvm().err()).allMatch(line -> line.contains("stood still for"));
    }
    try (Running again = up()) {
      assertThat(again.jvm().out().toString()).contains("3 that were published before");
      assertThat(post(again, "7").headers().firstValue("x-ratelimit-limit")).contains("8");
      awaitUsed(again, "42", LIMIT);
    }
  }

  @Test
  @Tag("long")
  void up_killed_heals_andIsNotOver() throws Exception {
    long begin = System.nanoTime();
    int admitted = 0;
    try (Running up = up()) {
      admitted += admitted(statuses(up, "42", LIMIT));
    }
    try (Running again = up()) {
      assertThat(statuses(again, "7", LIMIT + 1)).containsSequence(200, 200, 200, 200, 200, 429);
      admitted += admitted(statuses(again, "42", LIMIT));
    }
    double refilled = (System.nanoTime() - begin) / 1e9 / SECONDS_PER_TOKEN;
    assertThat(admitted).isBetween(LIMIT, LIMIT + (int) Math.ceil(refilled));
  }

  @Test
  void broker_killed_keepsItsRecords_andItsFolderToItself() throws Exception {
    Path data = folder.resolve("broker");
    try (ChildJvm jvm = broker("first", data)) {
      QuotaProgram.run("topics", "create", "--partitions=1", "--bootstrap-server=" + address(jvm));

      ChildJvm second = broker("second", data);
      assertThat(second.exitCode(START)).isEqualTo(1);
      assertThat(second.err())
          .containsExactly(
              "error: another broker uses the data folder %s: stop it, or choose another folder"
                  .formatted(data));
    }
    try (ChildJvm jvm = broker("again", data)) {
      QuotaProgram.run("topics", "check", "--bootstrap-server=" + address(jvm));
      jvm.signal("INT");
      assertThat(jvm.exitCode(END)).isEqualTo(INTERRUPTED);
      assertThat(jvm.err()).isEmpty();
    }
  }

  /** The API's answer to the token of the console. */
  private String whoami(Running up) throws Exception {
    String token = Files.readString(folder.resolve("data/console-token")).strip();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + up.enforcer() + "/api/v1/whoami"))
            .header("Authorization", "Bearer " + token)
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private ChildJvm broker(String name, Path data) throws IOException {
    return ChildJvm.start(
        name, folder.resolve("tmp"), Main.class, "broker", "--data=" + data, "--port=0");
  }

  private static String address(ChildJvm broker) {
    return broker.awaitLine("in other terminals: export QUOTA_BOOTSTRAP_SERVERS=", START);
  }

  private Running up() throws IOException {
    ChildJvm jvm =
        ChildJvm.start(
            "up",
            folder.resolve("tmp"),
            Main.class,
            "up",
            "--data=" + folder.resolve("data"),
            "--port=0",
            "--enforcer-port=0",
            "--gateway-port=0",
            "--grpc-port=0");
    try {
      jvm.awaitLine("ready after ", START);
      return new Running(
          jvm,
          found(jvm, "broker +"),
          found(jvm, "enforcer +http://"),
          found(jvm, "gateway +http://"));
    } catch (Throwable e) {
      jvm.close();
      throw e;
    }
  }

  private static String found(ChildJvm jvm, String before) {
    Matcher address =
        Pattern.compile("(?m)^" + before + "(127[.]0[.]0[.]1:\\d+)")
            .matcher(String.join("\n", jvm.out()));
    assertThat(address.find()).as(jvm.toString()).isTrue();
    return address.group(1);
  }

  private List<Integer> statuses(Running up, String user, int requests) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      statuses.add(post(up, user).statusCode());
    }
    return statuses;
  }

  private static int admitted(List<Integer> statuses) {
    return (int) statuses.stream().filter(status -> status == 200).count();
  }

  private HttpResponse<String> post(Running up, String user) throws Exception {
    String body = "{\"attributes\": {\"user\": \"%s\", \"api\": \"POST /posts\"}}".formatted(user);
    return http.send(
        HttpRequest.newBuilder(URI.create("http://" + up.gateway() + "/decide"))
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void awaitUsed(Running up, String user, long permits) {
    URI usage = URI.create("http://" + up.enforcer() + "/usage/posts/posts-per-user?user=" + user);
    await()
        .atMost(END)
        .untilAsserted(
            () -> {
              String body =
                  http.send(
                          HttpRequest.newBuilder(usage).timeout(Duration.ofSeconds(5)).build(),
                          HttpResponse.BodyHandlers.ofString())
                      .body();
              long used =
                  Pattern.compile("\"used\"\\s*:\\s*(\\d+)")
                      .matcher(body)
                      .results()
                      .mapToLong(found -> Long.parseLong(found.group(1)))
                      .sum();
              assertThat(used).as(body).isEqualTo(permits);
            });
  }
}
