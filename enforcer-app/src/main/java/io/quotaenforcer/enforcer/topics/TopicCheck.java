package io.quotaenforcer.enforcer.topics;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/** Checks that the topics of a prefix are as an enforcer needs them. */
public final class TopicCheck {
  private TopicCheck() {}

  /**
   * Result of the check.
   *
   * @param prefix the prefix's facts, if they could be read
   * @param errors reasons why no enforcer can run, each with its remedy
   * @param warnings risks
   */
  public record Findings(Optional<PrefixInfo> prefix, List<String> errors, List<String> warnings) {
    public Findings {
      errors = List.copyOf(errors);
      warnings = List.copyOf(warnings);
    }

    /** These, and one more error if there is one. */
    public Findings with(Optional<String> error) {
      List<String> all = new ArrayList<>(errors);
      error.ifPresent(all::add);
      return new Findings(prefix, all, warnings);
    }

    private Findings withWarnings(List<String> more) {
      List<String> all = new ArrayList<>(warnings);
      all.addAll(more);
      return new Findings(prefix, errors, all);
    }

    public boolean isGood() {
      return errors.isEmpty();
    }
  }

  /**
   * Looks at the topics of a prefix.
   *
   * @throws BrokersException when the brokers do not answer
   */
  public static Findings run(
      Brokers brokers, String prefix, Codecs codecs, LongSupplier monotonicNanos) {
    Topics names = Topics.under(prefix, Topics.DEFAULT_PARTITIONS, codecs);
    Map<String, TopicState> states = TopicState.of(brokers, names.all());
    if (!states.containsKey(names.rules().name())) {
      return failure(
          "there are no topics with prefix "
              + prefix
              + " (no "
              + names.rules().name()
              + "); run: "
              + create(prefix)
              + ", or check the prefix");
    }
    Optional<PrefixInfo> info =
        new PrefixRecord(brokers, Wire.of(names), brokers.timeout(), monotonicNanos)
            .read()
            .prefix();
    if (info.isEmpty()) {
      return failure(
          "topic "
              + names.rules().name()
              + " does not say what is fixed for the prefix; run: "
              + create(prefix));
    }
    return judge(prefix, info.get(), Topics.under(prefix, info.get().partitions(), codecs), states)
        .withWarnings(BrokerPace.warnings(brokers));
  }

  private static Findings judge(
      String prefix, PrefixInfo info, Topics topics, Map<String, TopicState> states) {
    List<String> errors = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    if (info.hashVersion() != QuotaKey.HASH_VERSION) {
      errors.add(
          "prefix %s spreads quota keys by hash version %d, this program knows %d only; run the version that created it"
              .formatted(prefix, info.hashVersion(), QuotaKey.HASH_VERSION));
    }
    for (Topic<?, ?> topic : topics.all()) {
      TopicState state = states.get(topic.name());
      if (state == null) {
        errors.add("topic " + topic.name() + " does not exist; run: " + create(prefix));
      } else {
        differences(topics, topic, state, errors);
        TopicDifference.of(topic, state)
            .forEach(it -> warnings.add(it.text() + "; run: " + create(prefix) + " --alter"));
      }
    }
    warnings.addAll(risks(states));
    return new Findings(Optional.of(info), errors, warnings);
  }

  /** Properties of a topic that an enforcer cannot work with. */
  static void differences(Topics topics, Topic<?, ?> topic, TopicState state, List<String> errors) {
    boolean anyCount = topic.equals(topics.deadLetters());
    if (!anyCount && state.partitions() != topic.partitions()) {
      errors.add(
          "topic %s must have %d partition(s), it has %d; the number is fixed for the prefix: delete the topic and create it anew, or use another prefix"
              .formatted(topic.name(), topic.partitions(), state.partitions()));
    }
    @Nullable String wanted = topic.config().get(TopicConfig.CLEANUP_POLICY_CONFIG);
    if (wanted != null && !TopicState.policies(wanted).equals(state.cleanup())) {
      errors.add(
          "topic %s must have cleanup.policy=%s, it has %s; run: kafka-configs.sh --bootstrap-server ... --alter --topic %s --add-config 'cleanup.policy=[%s]'"
              .formatted(
                  topic.name(), wanted, String.join(",", state.cleanup()), topic.name(), wanted));
    }
  }

  /** Properties of the topics that lose records when a broker fails. */
  static List<String> risks(Map<String, TopicState> states) {
    List<String> single = new ArrayList<>();
    List<String> thin = new ArrayList<>();
    states.forEach(
        (name, state) -> {
          if (state.replicationFactor() < 2) {
            single.add(name);
          } else if (state.minInSyncReplicas() < 2) {
            thin.add(name);
          }
        });
    List<String> warnings = new ArrayList<>();
    if (!single.isEmpty()) {
      warnings.add(
          "replication factor 1: a lost broker loses counts and rules (%s)"
              .formatted(String.join(", ", single)));
    }
    if (!thin.isEmpty()) {
      warnings.add(
          "min.insync.replicas below 2: a record may be on one broker only when it counts as written (%s)"
              .formatted(String.join(", ", thin)));
    }
    return warnings;
  }

  private static Findings failure(String error) {
    return new Findings(Optional.empty(), List.of(error), List.of());
  }

  private static String create(String prefix) {
    return prefix.equals(Topics.DEFAULT_PREFIX)
        ? "quota topics create"
        : "quota topics create --prefix " + prefix;
  }
}
