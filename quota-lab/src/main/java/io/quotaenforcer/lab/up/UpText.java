package io.quotaenforcer.lab.up;

import java.io.PrintWriter;
import java.util.Locale;

/** The messages to a newcomer while everything starts, and the steps to try then. */
final class UpText {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final String DEFAULT_PREFIX = "quota";
  private static final String DEFAULT_BROKER = "127.0.0.1:9092";
  private static final String DEFAULT_ENFORCER = "127.0.0.1:8089";

  private final PrintWriter out;
  private final UpOptions options;
  private final long startNanos;
  private String broker = "";
  private String enforcer = "";
  private String gateway = "";

  UpText(PrintWriter out, UpOptions options, long startNanos) {
    this.out = out;
    this.options = options;
    this.startNanos = startNanos;
  }

  void broker(String address) {
    broker = address;
    say("broker    %s, its records in %s", address, options.brokerFolder());
  }

  void enforcer(String address) {
    enforcer = address;
    say("enforcer  http://%s", address);
  }

  void gateway(String address, String grpc) {
    gateway = address;
    say("gateway   http://%s, and for Envoy (gRPC) %s", address, grpc);
  }

  void rules(FirstRules.InForce rules) {
    if (rules.published()) {
      say("rules     %d of %s, published just now", rules.rules(), options.rulesFile());
    } else {
      say("rules     %d that were published before", rules.rules());
    }
  }

  void ready(ConsoleToken token) {
    say("ready after %.1f s; Ctrl-C ends it, and what it knows stays", seconds());
    say("");
    if (options.rules().isPresent()) {
      say("In another terminal, with attributes that your rules name:");
      sayRequest("\"user\": \"42\"");
      say("What they say:     ./quota rules list");
    } else {
      say("In another terminal, five posts of user 42 are admitted (200), and then no more (429):");
      sayRequest("\"user\": \"42\", \"api\": \"POST /posts\"");
      say("What was counted:  ./quota usage get --rule posts/posts-per-user user=42");
    }
    say("Other limits:      ./quota rules apply %s, once you have changed it", options.rulesFile());
    say("In a browser:      http://%s/console/, with the token in %s", enforcer, token.secret());
    say("Ten minutes more:  topology-docs/tutorial.md");
  }

  private void sayRequest(String attributes) {
    say("");
    sayEnvironment();
    say("  curl -i http://%s/decide -d '{\"attributes\": {%s}}'", gateway, attributes);
    say("");
  }

  private void sayEnvironment() {
    if (!options.topicPrefix().equals(DEFAULT_PREFIX)) {
      say("  export QUOTA_TOPIC_PREFIX=%s", options.topicPrefix());
    }
    if (!broker.equals(DEFAULT_BROKER)) {
      say("  export QUOTA_BOOTSTRAP_SERVERS=%s", broker);
    }
    if (!enforcer.equals(DEFAULT_ENFORCER)) {
      say("  export QUOTA_ENFORCER=http://%s", enforcer);
    }
  }

  void ending() {
    say(
        "ending; ./quota up with the same options goes on where this was: --data %s",
        options.data());
  }

  private double seconds() {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  private void say(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
    out.flush();
  }
}
