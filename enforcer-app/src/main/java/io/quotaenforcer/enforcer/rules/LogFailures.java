package io.quotaenforcer.enforcer.rules;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Failures with a topic of rules, and their remedies. */
record LogFailures(Map<String, Object> clientSettings, Duration timeout) {
  /** State of the topic after a failed attempt. */
  enum Aftermath {
    NOTHING_WRITTEN,
    UNKNOWN
  }

  RulesException failed(String verb, String topic, Aftermath aftermath, Throwable cause) {
    String what = "could not " + verb + " " + place(topic);
    if (cause instanceof InterruptException || cause instanceof InterruptedException) {
      return new RulesException("interrupted: " + what, cause);
    }
    if (cause instanceof UnknownTopicOrPartitionException) {
      return new RulesException(
          place(topic) + " does not exist; run: quota topics create, or check the prefix", cause);
    }
    Throwable root = cause.getCause() == null ? cause : cause.getCause();
    if (cause instanceof TimeoutException || root instanceof TimeoutException) {
      String unknown =
          aftermath == Aftermath.UNKNOWN ? "; it may have been written: look at the rules" : "";
      return RulesException.unreachable(
          "no answer within %s s: %s; check --bootstrap-server, and whether the brokers are up%s"
              .formatted(timeout.toSeconds(), what, unknown),
          cause);
    }
    return new RulesException(what + ": " + root.getMessage() + acl(cause, root, topic), cause);
  }

  /**
   * Brokers answer, but a read does not get on.
   *
   * @param end where it was to end
   */
  RulesException stalled(String topic, long offset, long end) {
    return RulesException.unreachable(
        "nothing more of %s came within %s s: stopped at offset %s of %s; check whether the brokers are up, and raise --connect-timeout if they are slow"
            .formatted(place(topic), timeout.toSeconds(), offset, end),
        null);
  }

  private static String acl(Throwable cause, Throwable root, String topic) {
    if (cause instanceof TransactionalIdAuthorizationException
        || root instanceof TransactionalIdAuthorizationException) {
      return "; whoever changes rules needs Write on the transactional id " + topic;
    }
    boolean refused =
        cause instanceof AuthorizationException || root instanceof AuthorizationException;
    return refused ? "; an ACL is missing" : "";
  }

  private String place(String topic) {
    return "topic %s on %s"
        .formatted(topic, clientSettings.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }
}
