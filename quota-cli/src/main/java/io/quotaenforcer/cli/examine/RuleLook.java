package io.quotaenforcer.cli.examine;

import io.quotaenforcer.cli.doctor.RuleFacts;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.rules.PublishedRules;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.rules.RuleExplainer;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at the published rules. */
final class RuleLook {
  private RuleLook() {}

  static RuleFacts facts(KafkaConnection kafka, Wire wire, Duration timeout, int maxInstances) {
    try (RulesTopic topic =
        RulesTopic.inKafka(kafka.consumerProperties(), kafka.producerProperties(), wire, timeout)) {
      PublishedRules published = topic.read();
      List<RuleFacts.Excess> rules = new ArrayList<>();
      for (Rule rule : published.rules().values()) {
        DeclaredBound bound = RuleExplainer.of(rule, maxInstances).bound();
        rules.add(
            new RuleFacts.Excess(
                rule.id().toString(), rule.limit().permits(), bound.expected(), bound.connected()));
      }
      return new RuleFacts(rules, published.unreadable());
    }
  }
}
