package io.quotaenforcer.enforcer;

import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.ChangelogStamps;
import io.quotaenforcer.enforcer.topics.ForgottenOffsets;
import io.quotaenforcer.enforcer.topics.SafeTransactions;
import io.quotaenforcer.enforcer.topics.SharedGroup;
import io.quotaenforcer.enforcer.topics.TopicCheck;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import io.quotaenforcer.server.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An enforcer that runs until a signal ends the process. */
public final class EnforcerRun {
  /** How long an orderly end may take. */
  public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

  private static final Logger log = LoggerFactory.getLogger(EnforcerRun.class);

  private final EnforcerConfig settings;
  private final Duration connectTimeout;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param connectTimeout timeout for Kafka's answers
   * @param out receives the address once the enforcer has started
   * @param err receives warnings
   */
  public EnforcerRun(
      EnforcerConfig settings, Duration connectTimeout, PrintWriter out, PrintWriter err) {
    this.settings = settings;
    this.connectTimeout = connectTimeout;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts, and returns after a signal has ended it.
   *
   * @throws RefusedStartException if it cannot run on the topics as they are
   */
  public void run() throws InterruptedException {
    try (Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE)) {
      out.println(
          "enforcing; %s://%s/health/ready says when it is ready"
              .formatted(settings.http().scheme(), start(lifecycle)));
      lifecycle.awaitStop();
    }
  }

  /**
   * Starts, as a part of a program that closes more.
   *
   * @return where the HTTP server listens, host:port
   * @throws RefusedStartException if it cannot run on the topics as they are
   */
  public String start(Lifecycle lifecycle) throws InterruptedException {
    return new EnforcerProcess(settings, this::check, lifecycle).start();
  }

  private static String orAllow(String complaint) {
    return complaint + "; or set allow.unsafe.brokers=true, and strict rules may go over";
  }

  private PrefixInfo check() {
    try (Codecs codecs = settings.registry().codecs();
        Brokers brokers = Brokers.connect(settings.kafka(), connectTimeout)) {
      Optional<String> unsafe = SafeTransactions.complaint(brokers);
      Topics names = Topics.under(settings.topicPrefix(), Topics.DEFAULT_PARTITIONS, codecs);
      boolean allowed = settings.runtime().allowUnsafeBrokers();
      TopicCheck.Findings findings =
          TopicCheck.run(brokers, settings.topicPrefix(), codecs, System::nanoTime)
              .with(allowed ? Optional.empty() : unsafe.map(EnforcerRun::orAllow))
              .with(ForgottenOffsets.complaint(brokers, settings.runtime().applicationId()))
              .with(
                  SharedGroup.complaint(
                      brokers, settings.topicPrefix(), names, settings.runtime().applicationId()));
      if (allowed) {
        unsafe.ifPresent(complaint -> log.error("allow.unsafe.brokers=true, but {}", complaint));
      }
      Optional<String> unstamped = ChangelogStamps.set(brokers, settings.runtime().applicationId());
      unstamped.ifPresent(warning -> err.println(Printable.line("warning: " + warning)));
      findings.warnings().forEach(warning -> err.println(Printable.line("warning: " + warning)));
      if (!findings.isGood()) {
        throw new RefusedStartException(String.join("\n", findings.errors()));
      }
      return findings.prefix().orElseThrow();
    }
  }
}
