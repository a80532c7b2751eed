package io.quotaenforcer.docs;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.RateLimitHeaders;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** The Java of the README: {@link ReadmeTest} compares the regions, {@link GuidesIT} runs them. */
final class ReadmeSnippets {
  private final String kafka;
  private final List<String> done = new CopyOnWriteArrayList<>();

  ReadmeSnippets(String kafka) {
    this.kafka = kafka;
  }

  /** Results of the snippets. */
  List<String> done() {
    return done;
  }

  /** Decides once; the headers tell how the quota stands. */
  void embed(BiConsumer<String, String> response) throws InterruptedException {
    // tag::embed[]
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(kafka).domains("posts").build()) {
      client.awaitRules(Duration.ofSeconds(10)); // optional: until then everything is admitted
      Decision decision = client.decide(Request.of("user", "42", "api", "POST /posts"));
      RateLimitHeaders.of(decision).forEach(response); // Retry-After, RateLimit and others
      if (decision.admitted()) {
        createPost();
      } else {
        answerTooManyRequests(decision.retryAfter()); // empty: never, or not known
      }
    }
    // end::embed[]
  }

  /** Decides once; what is throttled is deferred. */
  void defer(AdmissionClient client, byte[] body) {
    // tag::defer[]
    Request post = Request.of("user", "42", "api", "POST /posts");
    Decision decision = client.decide(post);
    if (decision instanceof Decision.Throttled throttled && throttled.deferrable()) {
      client.defer(post, Deferral.of(body)).thenAccept(this::tellTheUser); // accepted, or refused
    }
    // end::defer[]
  }

  ReplayRunner replay(AdmissionClient client) {
    // tag::replay[]
    ReplayRunner runner =
        client.replays(
            replay -> {
              createPost(replay.payload().toByteArray()); // the body that was handed over
              return ReplayOutcome.done(); // or retryLater(...), failed(...)
            },
            ReplayOptions.DEFAULTS);
    // end::replay[]
    return runner;
  }

  void emit() {
    // tag::emit[]
    try (RequestEventEmitter events =
        RequestEventEmitter.create(Map.of("bootstrap.servers", kafka, "service", "web"))) {
      events.emit(Request.of("user", "42", "api", "POST /posts"), Outcome.ADMITTED);
    }
    // end::emit[]
  }

  private void tellTheUser(Deferred answer) {
    done.add(answer instanceof Deferred.Accepted ? "deferred" : "refused");
  }

  private void createPost(byte[] body) {
    done.add("created later: " + new String(body, StandardCharsets.UTF_8));
  }

  private void createPost() {
    done.add("created");
  }

  private void answerTooManyRequests(Optional<Duration> retryAfter) {
    done.add("throttled, " + retryAfter.map(after -> "retry after " + after).orElse("for good"));
  }
}
