package io.quotaenforcer.docs;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Java of the README: {@link ReadmeTest} compares the regions, {@link ReadmeIT} runs them. */
final class ReadmeSnippets {
  private final String kafka;
  private final List<String> done = new ArrayList<>();

  ReadmeSnippets(String kafka) {
    this.kafka = kafka;
  }

  /** What the snippets have done. */
  List<String> done() {
    return done;
  }

  void embed() throws InterruptedException {
    // tag::embed[]
    try (AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(kafka).domains("posts").build()) {
      client.awaitRules(Duration.ofSeconds(10)); // optional: until then everything is admitted

      Decision decision = client.decide(Request.of("user", "42", "api", "POST /posts"));
      if (decision.admitted()) {
        createPost();
      } else {
        long nanos = decision.rule().orElseThrow().retryAfterNanos();
        answerTooManyRequests(Duration.ofNanos(nanos));
      }
    }
    // end::embed[]
  }

  void emit() {
    // tag::emit[]
    try (RequestEventEmitter events =
        RequestEventEmitter.create(Map.of("bootstrap.servers", kafka, "service", "web"))) {
      events.emit(Request.of("user", "42", "api", "POST /posts"), Outcome.ADMITTED);
    }
    // end::emit[]
  }

  private void createPost() {
    done.add("created");
  }

  private void answerTooManyRequests(Duration retryAfter) {
    done.add("retry after " + retryAfter);
  }
}
